package dev.shardwright.reshard.workflow;

import dev.shardwright.topology.store.TopologyStore;

/** The world as the workflow engine sees it; Kubernetes and local mode each have their own. For one keyspace. */
public record WorkflowPorts(
        TopologyStore store,
        ShardHosts hosts,
        Routers routers,
        Movers movers,
        Admins admins,
        Precheck precheck,
        Leadership leadership) {}
