package dev.shardwright.reshard.workflow;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The routers of the keyspace, seen through their management port. */
public interface Routers {

    /** What each router that should exist says at this moment; one that does not answer within {@code wait} is silent. */
    List<RouterState> states(Duration wait);

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
     */
    record RouterState(
            String router,
            boolean answered,
            long epoch,
            int openTransactions,
            int runningWrites,
            Map<String, List<Long>> runningReads) {

        public static RouterState silent(String router) {
            return new RouterState(router, false, 0, 0, 0, Map.of());
        }

        /** Has applied this epoch and has nothing open that could still write to a fenced shard. */
        public boolean acknowledges(long wanted) {
            return answered && epoch >= wanted && openTransactions == 0 && runningWrites == 0;
        }
    }
}
