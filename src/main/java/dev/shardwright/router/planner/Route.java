package dev.shardwright.router.planner;

import java.util.List;

/** Where one execution of a statement goes; shards are indexes into {@code Topology.shards()}. */
public sealed interface Route {

    /** To this shard, as the client sent it. */
    record One(int shard) implements Route {}

    /** To any shard, as the client sent it: the answer is the same everywhere. */
    record Any() implements Route {}

    /** To all of these, merged as {@code merge} says; at least two, or one when the keyspace has one. */
    record Several(List<Integer> shards, Plan.Merge merge, RowLimit limit) implements Route {
        public Several {
            shards = List.copyOf(shards);
        }
    }

    /** DDL: to all of these, as the client sent it. */
    record Each(List<Integer> shards) implements Route {
        public Each {
            shards = List.copyOf(shards);
        }
    }

    /** The session answers itself. */
    record InSession(SessionStatement statement) implements Route {}

    /** Refused before anything is sent. */
    record Refused(int errno, String sqlState, String message) implements Route {}
}
