package dev.shardwright.reshard.workflow;

import java.time.Duration;
import java.util.List;

/** The routers of the keyspace, seen through their management port. */
public interface Routers {

    /** What each router that should exist says at this moment; one that does not answer within {@code wait} is silent. */
    List<RouterState> states(Duration wait);

    /**
     * One router's answer.
     *
     * @param router its name
     * @param answered false: silent, all else is meaningless
     * @param epoch the topology epoch it has applied
     * @param openTransactions transactions that it has open on shards that are not Serving
     * @param runningWrites write statements that it has running on shards that are not Serving
     * @param runningReads autocommit reads that it has running on shards that are not Serving
     */
    record RouterState(
            String router, boolean answered, long epoch, int openTransactions, int runningWrites, int runningReads) {

        public static RouterState silent(String router) {
            return new RouterState(router, false, 0, 0, 0, 0);
        }

        /** Has applied this epoch and has nothing open that could still write to a fenced shard. */
        public boolean acknowledges(long wanted) {
            return answered && epoch >= wanted && openTransactions == 0 && runningWrites == 0;
        }
    }
}
