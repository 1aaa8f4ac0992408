package dev.shardwright.router;

import dev.shardwright.router.executor.RouterLoop;
import dev.shardwright.router.executor.RouterMetrics;
import dev.shardwright.router.executor.TopologyView;
import dev.shardwright.router.protocol.ServerVersions;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.TopologyStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands each topology that the store delivers to all event loops. */
final class TopologyHolder implements TopologyStore.Watcher {
    private static final Logger log = LoggerFactory.getLogger(TopologyHolder.class);

    private final List<RouterLoop> loops;
    private final RouterMetrics metrics;
    private final ServerVersions versions;
    private final VersionProbe probe;
    private volatile @Nullable TopologyView latest;

    TopologyHolder(List<RouterLoop> loops, RouterMetrics metrics, ServerVersions versions, VersionProbe probe) {
        this.loops = loops;
        this.metrics = metrics;
        this.versions = versions;
        this.probe = probe;
    }

    @Override
    public void onTopology(Topology topology) {
        var before = latest;
        if (before != null && topology.epoch() <= before.epoch()) {
            return;
        }
        TopologyView view;
        try {
            view = TopologyView.of(topology, before);
            if (before == null) {
                // Here nobody waits: the router is ready once it has a topology.
                view.warmUp();
                probe.learn(topology.shards());
            }
        } catch (IllegalArgumentException e) {
            onInvalid("its vschema can't be used: " + e.getMessage());
            return;
        }
        versions.keep(topology.shards().stream().map(ShardEntry::uid).toList());
        latest = view;
        for (var loop : loops) {
            loop.eventLoop().execute(() -> loop.apply(view));
        }
        log.info("topology of epoch {} applies", topology.epoch());
    }

    @Override
    public void onInvalid(String reason) {
        metrics.invalidTopologies().increment();
        var good = latest;
        if (good == null) {
            log.error("the topology is not valid and there is no earlier one: statements are refused: {}", reason);
        } else {
            log.error("the topology is not valid, that of epoch {} stays in force: {}", good.epoch(), reason);
        }
    }

    /** Asks servers that have not yet said what they are. Called now and then. */
    void askVersions() {
        var good = latest;
        if (good != null) {
            probe.ask(good.shards());
        }
    }

    /** The newest valid topology, null before the first. */
    @Nullable
    TopologyView latest() {
        return latest;
    }
}
