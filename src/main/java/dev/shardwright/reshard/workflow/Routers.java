package dev.shardwright.reshard.workflow;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The routers of the keyspace, seen through their management port. */
public interface Routers {

    /** What each router that should exist says at this moment; one that does not answer within {@code wait} is silent. */
    List<RouterState> states(Duration wait);

    /**
     * Asks them to connect to those shards of the workflow that do not serve yet; how far they are is in {@link #states}.
     * Nobody depends on it: one that does not do it connects when it has to.
     */
    default void connectEarly(String workflowUid, Duration wait) {}

    /** Those that should exist at this moment, to be asked more than once. */
    default Routers present() {
        return this;
    }

    /**
     * One router's answer.
     *
     * @param router its name
     * @param answered false: silent, all else is meaningless
     * @param epoch the topology epoch it has applied
     * @param openTransactions transactions that it has open on shards that are not Serving
     * @param runningWrites write statements that it has running on shards that are not Serving
     * @param runningReads the autocommit reads that it has running on shards that are not Serving: by shard uid, the
     *     ids of their sessions at the shard's server
     * @param connecting connections that {@link #connectEarly} has asked for and that are still to come
     */
    record RouterState(
            String router,
            boolean answered,
            long epoch,
            int openTransactions,
            int runningWrites,
            Map<String, List<Long>> runningReads,
            int connecting) {

        public static RouterState silent(String router) {
            return new RouterState(router, false, 0, 0, 0, Map.of(), 0);
        }

        /** Has applied this epoch and has nothing open that could still write to a fenced shard. */
        public boolean acknowledges(long wanted) {
            return answered && epoch >= wanted && openTransactions == 0 && runningWrites == 0;
        }
    }
}
