package dev.shardwright.reshard.cutover;

import dev.shardwright.mysql.admin.ServerSession;
import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;

/**
 * Steps 6 and 7, forward only: the new shards' servers open, the streams back run, the old shards' servers
 * close. Looks first and changes only what is not as it should be, so it is also what keeps things so.
 */
public final class AfterFlip {
    private static final int LOCK_WAIT_TIMEOUT = 1205;

    private final World world;
    private final Sides sides;
    private final StepListener listener;

    public AfterFlip(World world, Sides sides, StepListener listener) {
        this.world = world;
        this.sides = sides;
        this.listener = listener;
    }

    /**
     * What has been reached.
     *
     * @param closed nobody reads from the old shards any more
     * @param formerStreamsGone the movers that ran before the flip have ended, and those of the way back run
     */
    public record Reached(boolean closed, boolean formerStreamsGone) {}

    /**
     * Opens its own connections.
     *
     * @param readsMayRun false: reads that still run on the old shards are ended
     * @param openedForGood false: a server that looks open may be so only until it restarts
     */
    public Reached converge(Topology topology, WorkflowEntry entry, boolean readsMayRun, boolean openedForGood)
            throws SQLException {
        try (var servers = new Servers(world.admins())) {
            open(servers, entry, openedForGood);
            boolean gone = wayBack(servers, topology, entry);
            return new Reached(close(servers, entry, readsMayRun), gone);
        }
    }

    /**
     * Right after the flip, when everybody waits for it: nothing is looked at first, and the disk is not waited for. A
     * server that is restarted before {@link #openForGood} is shut, and opened because it serves.
     */
    void openAtOnce(Servers servers, WorkflowEntry entry) throws SQLException {
        servers.each(sides.to(entry), (member, all) -> {
            all.of(member).thawUntilRestart();
            return true;
        });
    }

    /** What {@link #openAtOnce} has opened stays open. */
    void openForGood(Servers servers, WorkflowEntry entry) throws SQLException {
        servers.each(sides.to(entry), (member, all) -> {
            all.of(member).persistThaw();
            return true;
        });
    }

    private void open(Servers servers, WorkflowEntry entry, boolean forGood) throws SQLException {
        listener.before(Step.OPEN);
        servers.each(sides.to(entry), (member, all) -> {
            var admin = all.of(member);
            if (!forGood || !admin.fence().open()) {
                admin.thaw();
            }
            return true;
        });
        listener.after(Step.OPEN);
    }

    boolean wayBack(Servers servers, Topology topology, WorkflowEntry entry) throws SQLException {
        listener.before(Step.WAY_BACK);
        var received = servers.each(sides.from(entry), (member, all) -> receive(all.of(member), entry));
        boolean gone = received.values().stream().allMatch(ready -> ready);
        if (gone) {
            sides.opposite(topology, entry).forEach(world.movers()::start);
        }
        for (var former : sides.streams(topology, entry)) {
            gone &= world.movers().stop(former.stream());
        }
        listener.after(Step.WAY_BACK);
        return gone;
    }

    /** False while a read that still runs keeps a trigger, which the movers' rows would fire. */
    private static boolean receive(ShardAdmin admin, WorkflowEntry entry) throws SQLException {
        var fence = admin.fence();
        if (fence.superReadOnly() || !fence.readOnly()) {
            admin.receive();
        }
        try {
            admin.dropTriggers();
        } catch (SQLException e) {
            if (e.getErrorCode() == LOCK_WAIT_TIMEOUT) {
                return false;
            }
            throw e;
        }
        admin.ensureToken(entry.uid(), entry.token());
        return true;
    }

    boolean close(Servers servers, WorkflowEntry entry, boolean readsMayRun) throws SQLException {
        listener.before(Step.CLOSE);
        var closed = servers.each(sides.from(entry), (member, all) -> close(member, all, readsMayRun));
        listener.after(Step.CLOSE);
        return closed.values().stream().allMatch(done -> done);
    }

    private static boolean close(Member member, Servers servers, boolean readsMayRun) throws SQLException {
        var admin = servers.of(member);
        if (admin.fence().offline()) {
            return true;
        }
        if (readsMayRun && admin.sessions().stream().anyMatch(ServerSession::running)) {
            return false;
        }
        admin.offline();
        return true;
    }
}
