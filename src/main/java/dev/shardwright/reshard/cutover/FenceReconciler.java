package dev.shardwright.reshard.cutover;

import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.reshard.workflow.Admins;
import dev.shardwright.reshard.workflow.Phase;
import dev.shardwright.reshard.workflow.TopologyWriter;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * Brings a server's fence in line with the topology: open when its shard serves, shut when its shard is not
 * in {@code shards}. Shards that a switchover holds are left alone, and while one runs in this process nothing
 * is done at all.
 */
public final class FenceReconciler {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TopologyWriter topology;
    private final Admins admins;
    private final Lock keyspaceLock;

    /** {@code keyspaceLock}: held by whoever changes fences of this keyspace in this process. */
    public FenceReconciler(TopologyWriter topology, Admins admins, Lock keyspaceLock) {
        this.topology = topology;
        this.admins = admins;
        this.keyspaceLock = keyspaceLock;
    }

    /** What was found and done. */
    public enum Result {
        /** Serves and is open. */
        OPEN,
        /** Serves and has just been opened. */
        OPENED,
        /** Does not serve and is shut. */
        SHUT,
        /** Does not serve and has just been shut. */
        CLOSED,
        /** A switchover holds it, or runs; ask again later. */
        LEFT_ALONE
    }

    /** SQLException when the server can't be reached or is another shard's; TopologyStoreException as the store. */
    public Result reconcile(String shardUid, Endpoint endpoint) throws SQLException {
        if (!locked()) {
            return Result.LEFT_ALONE;
        }
        try (var admin = admins.open(shardUid, endpoint)) {
            // Read after the connection was opened: a later leader that fences ends this connection first.
            return reconcile(topology.read().topology(), shardUid, admin);
        } finally {
            keyspaceLock.unlock();
        }
    }

    private boolean locked() {
        try {
            return keyspaceLock.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Result reconcile(Topology topology, String shardUid, ShardAdmin admin) throws SQLException {
        var shard = topology.shards().stream()
                .filter(entry -> entry.uid().equals(shardUid))
                .findFirst();
        if (shard.isEmpty()) {
            var workflow = workflowOf(topology, shardUid);
            return workflow.isPresent() ? receive(admin, workflow.get()) : shut(admin);
        }
        if (shard.get().state() != ShardState.Serving) {
            return Result.LEFT_ALONE;
        }
        if (admin.fence().open()) {
            admin.runEvents();
            return Result.OPEN;
        }
        admin.thaw();
        return Result.OPENED;
    }

    private static Optional<WorkflowEntry> workflowOf(Topology topology, String shardUid) {
        return topology.workflows().stream()
                .filter(workflow -> workflow.claims(shardUid))
                .findFirst();
    }

    /** A shard that a workflow fills lets the movers write. */
    private static Result receive(ShardAdmin admin, WorkflowEntry workflow) throws SQLException {
        var fence = admin.fence();
        boolean leftOpen = !fence.offline() && nobodyReads(workflow);
        if (!fence.shut()) {
            admin.receive();
        }
        if (leftOpen) {
            admin.offline();
        }
        return fence.shut() && !leftOpen ? Result.SHUT : Result.CLOSED;
    }

    /**
     * Whether users have no business at the workflow's shards that do not serve: none of these has served, so that no
     * reads are still ending there, and no attempt that somebody must bring to an end has let the routers in. What a
     * crashed attempt has left open is shut.
     */
    private static boolean nobodyReads(WorkflowEntry workflow) {
        return workflow.reverseFrom().isEmpty() && !workflow.phase().equals(new Phase.Switching().name());
    }

    private static Result shut(ShardAdmin admin) throws SQLException {
        var fence = admin.fence();
        if (fence.superReadOnly() && fence.offline()) {
            return Result.SHUT;
        }
        admin.offline();
        admin.freeze();
        return Result.CLOSED;
    }
}
