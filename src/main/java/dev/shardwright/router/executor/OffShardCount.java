package dev.shardwright.router.executor;

/** Counts what still runs on shards that do not serve, or no longer belong to the keyspace. */
final class OffShardCount {
    private final TopologyView view;
    private int openTransactions;
    private int writes;
    private int reads;

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
                    case READ -> reads++;
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

    int reads() {
        return reads;
    }
}
