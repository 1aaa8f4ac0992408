package dev.shardwright.reshard.cutover;

import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.reshard.objects.ObjectWriter;
import dev.shardwright.reshard.objects.SchemaObjects;
import dev.shardwright.reshard.workflow.Admins;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Views, routines and the like: on each shard that does not serve, those that it will have to have. */
public final class ObjectMove {
    private static final int SHOWN = 5;

    private final Servers servers;
    private final Sides sides;
    private final WorkflowEntry entry;
    private final String keyspace;
    private final VSchema vschema;
    private @Nullable Triggers triggers;

    private record Triggers(SchemaObjects model, ObjectWriter writer) {}

    ObjectMove(Servers servers, Sides sides, Topology topology, WorkflowEntry entry) {
        this.servers = servers;
        this.sides = sides;
        this.entry = entry;
        this.keyspace = topology.keyspace();
        this.vschema = topology.vschema();
    }

    /**
     * Makes the objects of those that do not serve equal to those of the serving shards, but for triggers. Opens its own
     * connections; the tables must be there. Returns what can't be done, for a DBA; empty when all is equal.
     */
    public static List<String> bring(Admins admins, Sides sides, Topology topology, WorkflowEntry entry)
            throws SQLException {
        try (var own = new Servers(admins)) {
            return new ObjectMove(own, sides, topology, entry).bring();
        }
    }

    private List<String> bring() throws SQLException {
        var model = read(model());
        var problems = new ArrayList<>(differencesOfServing(model));
        if (!problems.isEmpty() || differencesOfOthers(model).isEmpty()) {
            return shown(problems);
        }
        var writer = ObjectWriter.of(servers.of(model()).connection(), keyspace, model.withoutTriggers());
        servers.each(
                        sides.to(entry),
                        (member, all) -> writer.write(all.of(member).connection(), wanted(model, member)))
                .forEach((member, failures) -> failures.forEach(
                        failure -> problems.add("on " + member.name() + " can't be created: " + failure)));
        if (problems.isEmpty()) {
            problems.addAll(differencesOfOthers(model));
        }
        return shown(problems);
    }

    /** Throws Undone when anything differs, triggers of those that do not serve aside; the serving ones are frozen. */
    void compare() throws SQLException {
        var model = read(model());
        if (model.hasTriggers()) {
            triggers =
                    new Triggers(model, ObjectWriter.of(servers.of(model()).connection(), keyspace, model.triggers()));
        }
        var problems = new ArrayList<>(differencesOfServing(model));
        problems.addAll(differencesOfOthers(model));
        if (!problems.isEmpty()) {
            throw new Undone("ObjectsDiffer", String.join("; ", shown(problems)));
        }
    }

    /** After {@link #compare}, once no mover can write to those that will serve: its rows must not fire any. */
    void createTriggers() throws SQLException {
        if (triggers == null) {
            return;
        }
        var found = triggers;
        var problems = new ArrayList<String>();
        servers.each(sides.to(entry), (member, all) -> createTriggers(found, member, all.of(member)))
                .forEach((member, failures) -> failures.forEach(
                        failure -> problems.add("on " + member.name() + " can't be created: " + failure)));
        if (!problems.isEmpty()) {
            throw new Undone("ObjectsDiffer", String.join("; ", shown(problems)));
        }
    }

    private List<String> createTriggers(Triggers found, Member member, ShardAdmin to) throws SQLException {
        var wanted = found.model.placed(member.range(), vschema).triggers();
        var failures = found.writer.writeTriggers(to.connection(), wanted);
        return failures.isEmpty()
                ? wanted.differences(
                        SchemaObjects.read(to.connection(), keyspace).triggers())
                : failures;
    }

    private Member model() {
        return sides.from(entry).getFirst();
    }

    private SchemaObjects read(Member member) throws SQLException {
        return SchemaObjects.read(servers.of(member).connection(), keyspace);
    }

    private SchemaObjects wanted(SchemaObjects model, Member member) {
        return model.placed(member.range(), vschema).withoutTriggers();
    }

    private List<String> differencesOfServing(SchemaObjects model) throws SQLException {
        var others = sides.from(entry).stream().skip(1).toList();
        return differences(others, member -> model.placed(member.range(), vschema), found -> found);
    }

    private List<String> differencesOfOthers(SchemaObjects model) throws SQLException {
        return differences(sides.to(entry), member -> wanted(model, member), SchemaObjects::withoutTriggers);
    }

    private List<String> differences(
            List<Member> members,
            java.util.function.Function<Member, SchemaObjects> wanted,
            java.util.function.UnaryOperator<SchemaObjects> looksAt)
            throws SQLException {
        var problems = new ArrayList<String>();
        servers.each(
                        members,
                        (member, all) ->
                                looksAt.apply(SchemaObjects.read(all.of(member).connection(), keyspace)))
                .forEach((member, found) -> wanted.apply(member).differences(found).stream()
                        .map(difference -> difference + " on " + member.name() + " as compared with " + model().name())
                        .forEach(problems::add));
        return problems;
    }

    private static List<String> shown(List<String> problems) {
        return problems.size() <= SHOWN
                ? List.copyOf(problems)
                : java.util.stream.Stream.concat(
                                problems.stream().limit(SHOWN),
                                java.util.stream.Stream.of((problems.size() - SHOWN) + " more"))
                        .toList();
    }
}
