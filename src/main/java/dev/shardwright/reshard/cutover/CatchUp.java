package dev.shardwright.reshard.cutover;

import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.mysql.admin.Users;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.reshard.workflow.Pause;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Step 4: the targets have everything that the frozen sources have, rows and what is not a row. */
final class CatchUp {
    private static final long PAUSE_MILLIS = 1;
    /** Each costs the server a seventh of a millisecond. */
    private static final int MOST_COUNTED = 100;

    private final Servers servers;
    private final Sides sides;
    private final WorkflowEntry entry;

    CatchUp(Servers servers, Sides sides, WorkflowEntry entry) {
        this.servers = servers;
        this.sides = sides;
        this.entry = entry;
    }

    /** Throws Undone when users or grants differ. {@code receivers}: those of the servers that are to serve. */
    void compareUsers(Map<Member, Users.Accounts> receivers) throws SQLException {
        userDifference(servers, sides, entry, receivers).ifPresent(text -> {
            throw new Undone("UsersDiffer", text);
        });
    }

    /** Of the servers that are to serve. */
    static Map<Member, Users.Accounts> users(Servers servers, Sides sides, WorkflowEntry entry) throws SQLException {
        return servers.each(sides.to(entry), (member, all) -> all.of(member).accounts());
    }

    static Optional<String> userDifference(
            Servers servers, Sides sides, WorkflowEntry entry, Map<Member, Users.Accounts> receivers)
            throws SQLException {
        var accounts = new LinkedHashMap<>(
                servers.each(sides.from(entry), (member, all) -> all.of(member).accounts()));
        accounts.putAll(receivers);
        var model = sides.from(entry).getFirst();
        var expected = Objects.requireNonNull(accounts.remove(model));
        for (var other : accounts.entrySet()) {
            var differences = expected.differences(other.getValue());
            if (!differences.isEmpty()) {
                return Optional.of("users or grants of " + other.getKey().name() + " are not those of " + model.name()
                        + ": " + String.join("; ", differences));
            }
        }
        return Optional.empty();
    }

    /**
     * AUTO_INCREMENT on the targets goes on at least where it would have on the sources.
     *
     * @return the tables that have it
     */
    Set<String> raiseCounters() throws SQLException {
        return raiseCounters(ShardAdmin::counters);
    }

    /**
     * The same under the fence, a moment after {@code tables} were found. Committed rows raise the targets' values by
     * themselves; what is left are values that no row has kept. They are not looked for where that would hold up everybody.
     */
    void raiseCounters(Set<String> tables) throws SQLException {
        if (tables.size() <= MOST_COUNTED) {
            raiseCounters(admin -> admin.counters(tables));
        }
    }

    private interface Counters {
        Map<String, BigInteger> of(ShardAdmin admin) throws SQLException;
    }

    private Set<String> raiseCounters(Counters counted) throws SQLException {
        var marks = new HashMap<String, BigInteger>();
        servers.each(sides.from(entry), (member, all) -> counted.of(all.of(member)))
                .values()
                .forEach(counters -> counters.forEach((table, next) -> marks.merge(table, next, BigInteger::max)));
        if (!marks.isEmpty()) {
            servers.each(sides.to(entry), (member, all) -> raise(all.of(member), marks, counted));
        }
        return marks.keySet();
    }

    private static boolean raise(ShardAdmin target, Map<String, BigInteger> marks, Counters counted)
            throws SQLException {
        var present = counted.of(target);
        for (var mark : marks.entrySet()) {
            if (present.getOrDefault(mark.getKey(), BigInteger.ONE).compareTo(mark.getValue()) < 0) {
                target.raiseCounter(mark.getKey(), mark.getValue());
            }
        }
        return true;
    }

    /** Waits until every stream has applied its source's G on each of its targets. */
    void awaitApplied(List<MoverSpec> streams, Map<String, String> g, Deadline deadline) throws SQLException {
        ofEachTarget(
                streams,
                (admin, target, stream) -> awaitApplied(
                        admin, target, stream, g.get(stream.source().uid()), deadline));
    }

    /** Asks what {@link #awaitApplied} asks, once, whatever the answer is. */
    void askApplied(List<MoverSpec> streams, Map<String, String> g) throws SQLException {
        ofEachTarget(
                streams,
                (admin, _, stream) -> admin.hasApplied(
                        stream.stream(), g.getOrDefault(stream.source().uid(), "")));
    }

    private interface OfStream {
        void run(ShardAdmin admin, Member target, MoverSpec stream) throws SQLException;
    }

    private void ofEachTarget(List<MoverSpec> streams, OfStream action) throws SQLException {
        servers.each(sides.to(entry), (target, all) -> {
            for (var stream : streams) {
                if (feeds(stream, target)) {
                    action.run(all.of(target), target, stream);
                }
            }
            return true;
        });
    }

    private static boolean feeds(MoverSpec stream, Member target) {
        return stream.targets().stream().anyMatch(peer -> peer.uid().equals(target.uid()));
    }

    private static void awaitApplied(
            ShardAdmin admin,
            Member target,
            MoverSpec stream,
            @org.jspecify.annotations.Nullable String g,
            Deadline deadline)
            throws SQLException {
        if (g == null) {
            throw new IllegalStateException(
                    "no final gtid set of " + stream.source().uid());
        }
        while (!admin.hasApplied(stream.stream(), g)) {
            deadline.check(
                    target.name() + " has applied all of " + stream.source().range() + " (is its mover alive?)");
            Pause.millis(PAUSE_MILLIS);
        }
        if (admin.hasAppliedMore(stream.stream(), g)) {
            throw new Undone(
                    "SourceReset",
                    "the binary logs of " + stream.source().range()
                            + " were reset: its final gtid set lacks transactions that " + target.name()
                            + " has applied, so others may be missing there");
        }
    }

    /** Reads what {@link #raiseTokens} raises: the movers of now have this token. */
    void ensureTokens() throws SQLException {
        servers.each(sides.to(entry), (member, all) -> {
            all.of(member).ensureToken(entry.uid(), entry.token());
            return true;
        });
    }

    /** Shuts out the movers that ran so far: what they have not committed when this returns, they never will. */
    void raiseTokens() throws SQLException {
        servers.each(sides.to(entry), (member, all) -> {
            all.of(member).raiseToken(entry.uid(), entry.token());
            return true;
        });
    }

    /** Where the stream back of each target starts. */
    Map<String, String> positions() throws SQLException {
        return byUid(
                servers.each(sides.to(entry), (member, all) -> all.of(member).gtidExecuted()));
    }

    static Map<String, String> byUid(Map<Member, String> byMember) {
        var result = new HashMap<String, String>();
        byMember.forEach((member, value) -> result.put(member.uid(), value));
        return result;
    }
}
