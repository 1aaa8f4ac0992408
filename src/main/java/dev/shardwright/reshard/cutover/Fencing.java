package dev.shardwright.reshard.cutover;

import dev.shardwright.mysql.admin.ServerSession;
import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.reshard.cutover.Drain.Drained;
import dev.shardwright.reshard.workflow.Pause;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Step 3 on one server: nobody can write, and nobody is left who could still make its gtid set grow. */
final class Fencing {
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int NOT_OURS_TO_END = 1095;
    private static final long PAUSE_MILLIS = 1;
    /** A router hears of a read's end a moment before the server's list does, or after. */
    private static final Duration SETTLING = Duration.ofMillis(20);

    private final Member member;
    private final ShardAdmin admin;
    private final Drained drained;

    Fencing(Member member, ShardAdmin admin, Drained drained) {
        this.member = member;
        this.admin = admin;
        this.drained = drained;
    }

    /**
     * Puts up super_read_only, which {@link ShardAdmin#persistFreeze} must make last; offline_mode first and at once when a router may not
     * have heard of the fence.
     */
    void freeze(boolean force) throws SQLException {
        if (!drained.complete()) {
            admin.offline();
        }
        if (force) {
            end(admin.sessions().stream().filter(ServerSession::runsWrite).toList());
        }
        try {
            admin.freezeUntilRestart();
        } catch (SQLException e) {
            if (e.getErrorCode() == LOCK_WAIT_TIMEOUT) {
                throw new Undone(
                        "WaitingForLongStatements",
                        "a statement or a table lock on " + member.name()
                                + " kept the server from becoming read-only for 2 s");
            }
            throw e;
        }
    }

    /** Ends everybody who may not stay, again and again, until they are gone and no prepared transaction is left. */
    void endSessions(Deadline deadline) throws SQLException {
        var settled = Deadline.in(SETTLING);
        while (true) {
            var sessions = admin.sessions();
            if (allMayStay(sessions)) {
                checkPrepared();
                return;
            }
            end(leaving(sessions, settled.passed()));
            deadline.check("the sessions on " + member.name() + " have ended, such as "
                    + sessions.getFirst().describe());
            Pause.millis(PAUSE_MILLIS);
        }
    }

    /** A last look: nobody has come who could write, and G still is what the server has. */
    void confirm(String g, Deadline deadline) throws SQLException {
        endSessions(deadline);
        if (!admin.gtidExecuted().equals(g)) {
            throw new Undone(
                    "WrittenUnderFence",
                    "the gtid set of " + member.name()
                            + " grew while it was frozen: somebody with special rights wrote to it");
        }
    }

    /** Only autocommit reads of routers that have applied the fence: a frozen server can finish those. */
    private boolean allMayStay(List<ServerSession> sessions) {
        return sessions.stream().allMatch(this::mayStay);
    }

    private boolean mayStay(ServerSession session) {
        return drained.complete()
                && session.runsRead()
                && drained.reads().getOrDefault(member.uid(), Set.of()).contains(session.id());
    }

    /** {@code settled}: a read that no router knows of is not one that has ended just now, but passes them by. */
    private List<ServerSession> leaving(List<ServerSession> sessions, boolean settled) {
        return sessions.stream()
                .filter(session -> !mayStay(session) && (settled || !drained.complete() || !session.runsRead()))
                .toList();
    }

    private void checkPrepared() throws SQLException {
        var prepared = admin.preparedTransactions();
        if (!prepared.isEmpty()) {
            throw new Undone(
                    "PreparedTransactions",
                    "a prepared XA transaction appeared on " + member.name() + " during the switchover: "
                            + prepared.getFirst() + "; commit it or roll it back");
        }
    }

    private void end(List<ServerSession> sessions) throws SQLException {
        if (sessions.isEmpty()) {
            return;
        }
        try {
            admin.kill(sessions.stream().map(ServerSession::id).toList());
        } catch (SQLException e) {
            if (e.getErrorCode() == NOT_OURS_TO_END) {
                throw new Undone(
                        "SessionCannotBeEnded",
                        "a session on " + member.name() + " has SYSTEM_USER, so the operator's account may not end it:"
                                + " close it by hand; it is one of "
                                + sessions.stream()
                                        .map(ServerSession::describe)
                                        .limit(5)
                                        .toList());
            }
            throw e;
        }
    }
}
