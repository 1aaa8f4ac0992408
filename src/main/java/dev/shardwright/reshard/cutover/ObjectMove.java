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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
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
        var found = readAll();
        var model = model(found);
        var problems = new ArrayList<>(differencesOfServing(found));
        if (!problems.isEmpty() || differencesOfOthers(found).isEmpty()) {
            return shown(problems);
        }
        var writer = ObjectWriter.of(servers.of(model()).connection(), keyspace, model.withoutTriggers());
        servers.each(
                        sides.to(entry),
                        (member, all) -> writer.write(all.of(member).connection(), wanted(model, member)))
                .forEach((member, failures) -> failures.forEach(
                        failure -> problems.add("on " + member.name() + " can't be created: " + failure)));
        if (problems.isEmpty()) {
            problems.addAll(differencesOfOthers(readAll()));
        }
        return shown(problems);
    }

    /** Those of the shards that are to serve. */
    Map<Member, SchemaObjects> ofReceivers() throws SQLException {
        return read(sides.to(entry));
    }

    /** What {@link #compare} would find, in a moment in which nobody waits for it. */
    List<String> differences(Map<Member, SchemaObjects> receivers) throws SQLException {
        return differencesIn(readWith(receivers));
    }

    private List<String> differencesIn(Map<Member, SchemaObjects> found) {
        return shown(Stream.concat(differencesOfServing(found).stream(), differencesOfOthers(found).stream())
                .toList());
    }

    /**
     * Throws Undone when anything differs, triggers of those that do not serve aside; the serving ones are frozen.
     *
     * @param receivers as {@link #ofReceivers} has found them
     */
    void compare(Map<Member, SchemaObjects> receivers) throws SQLException {
        var found = readWith(receivers);
        var model = model(found);
        if (model.hasTriggers()) {
            triggers =
                    new Triggers(model, ObjectWriter.of(servers.of(model()).connection(), keyspace, model.triggers()));
        }
        var problems = differencesIn(found);
        if (!problems.isEmpty()) {
            throw new Undone("ObjectsDiffer", String.join("; ", problems));
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

    private SchemaObjects model(Map<Member, SchemaObjects> found) {
        return Objects.requireNonNull(found.get(model()));
    }

    /** Each server once, and all at the same time. */
    private Map<Member, SchemaObjects> readAll() throws SQLException {
        return read(sides.all(entry));
    }

    private Map<Member, SchemaObjects> readWith(Map<Member, SchemaObjects> receivers) throws SQLException {
        var all = new LinkedHashMap<>(read(sides.from(entry)));
        all.putAll(receivers);
        return all;
    }

    private Map<Member, SchemaObjects> read(List<Member> members) throws SQLException {
        return servers.each(
                members, (member, all) -> SchemaObjects.read(all.of(member).connection(), keyspace));
    }

    private SchemaObjects wanted(SchemaObjects model, Member member) {
        return model.placed(member.range(), vschema).withoutTriggers();
    }

    private List<String> differencesOfServing(Map<Member, SchemaObjects> found) {
        var model = model(found);
        return sides.from(entry).stream()
                .skip(1)
                .flatMap(member -> differences(
                        member, model.placed(member.range(), vschema), Objects.requireNonNull(found.get(member))))
                .toList();
    }

    private List<String> differencesOfOthers(Map<Member, SchemaObjects> found) {
        var model = model(found);
        return sides.to(entry).stream()
                .flatMap(member -> differences(
                        member,
                        wanted(model, member),
                        Objects.requireNonNull(found.get(member)).withoutTriggers()))
                .toList();
    }

    private Stream<String> differences(Member member, SchemaObjects wanted, SchemaObjects its) {
        return wanted.differences(its).stream()
                .map(difference -> difference + " on " + member.name() + " as compared with " + model().name());
    }

    private static List<String> shown(List<String> problems) {
        return problems.size() <= SHOWN
                ? List.copyOf(problems)
                : Stream.concat(problems.stream().limit(SHOWN), Stream.of((problems.size() - SHOWN) + " more"))
                        .toList();
    }
}
