package dev.shardwright.local.workload;

/**
 * One thing that is not as it must be.
 *
 * @param where table, or the part of the check
 * @param key the row's primary key in words; empty if it is about no single row
 */
public record Violation(Kind kind, String where, String key, String detail) {

    public enum Kind {
        /** An acknowledged write is not there. */
        LOST("lost"),
        /** One row is on two shards, or came twice from the router. */
        DOUBLED("doubled"),
        /** An older version than the acknowledged one is there. */
        STALE("stale"),
        /** A row whose delete was acknowledged is there. */
        RESURRECTED("resurrected"),
        /** Something is there that nobody wrote, or whose write failed. */
        FOREIGN("foreign"),
        /** The content differs from what was written. */
        CORRUPT("corrupt"),
        /** The row is on a shard where its key does not belong. */
        MISPLACED("misplaced"),
        /** Half of a transaction is there. */
        TORN("torn"),
        /** Credits came or went. */
        UNBALANCED("unbalanced"),
        /** The router shows something else than the shards hold. */
        ROUTER("router differs"),
        /** A client saw a wrong answer while it ran. */
        ANOMALY("wrong answers");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    @Override
    public String toString() {
        return kind.words() + ": " + where + (key.isEmpty() ? "" : " " + key) + ": " + detail;
    }
}
