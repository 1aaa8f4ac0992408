package dev.shardwright.reshard.cutover;

import dev.shardwright.reshard.workflow.Admins;
import dev.shardwright.reshard.workflow.Leadership;
import dev.shardwright.reshard.workflow.Movers;
import dev.shardwright.reshard.workflow.Routers;
import dev.shardwright.reshard.workflow.TopologyWriter;
import dev.shardwright.topology.store.TopologyStore;

/** All that a switchover acts on. */
public record World(TopologyWriter topology, Admins admins, Routers routers, Movers movers) {

    public static World of(TopologyStore store, Admins admins, Routers routers, Movers movers, Leadership leadership) {
        return new World(new TopologyWriter(store, leadership), admins, routers, movers);
    }
}
