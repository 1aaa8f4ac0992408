package dev.shardwright.router.executor;

import dev.shardwright.router.planner.Planned;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.topology.model.ShardEntry;
import java.util.List;

/** A read on several shards whose answers are merged as a stream. */
final class MergeRun implements MultiShardRun {
    private MergeRun() {}

    static MultiShardRun start(
            Execution execution, Subject subject, List<ShardEntry> shards, Route.Several route, Planned made) {
        execution.runner.error(ErrorCatalogue.notSupported("reads of several shards are not supported yet"));
        return new MergeRun();
    }
}
