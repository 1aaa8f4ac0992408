package dev.shardwright.router.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts what still runs on shards that do not serve, or no longer belong to the keyspace. */
final class OffShardCount {
    private final TopologyView view;
    private final Map<String, List<Long>> reads = new TreeMap<>();
    private int openTransactions;
    private int writes;

    OffShardCount(TopologyView view) {
        this.view = view;
    }

    void add(SessionRunner runner) {
        var session = runner.session();
        for (var backend : session.backends()) {
            if (view.serves(backend.shard())) {
                continue;
            }
            var running = backend.running();
            if (session.transaction().backend() == backend) {
                openTransactions++;
            } else if (running != null) {
                switch (running) {
                    case READ ->
                        reads.computeIfAbsent(backend.shard().uid(), _ -> new ArrayList<>())
                                .add(backend.connection().serverSession());
                    case LOCKING_READ, WRITE -> writes++;
                }
            }
        }
    }

    int openTransactions() {
        return openTransactions;
    }

    int writes() {
        return writes;
    }

    /** By shard uid, the sessions at its server that run autocommit reads. */
    Map<String, List<Long>> reads() {
        return reads;
    }
}
