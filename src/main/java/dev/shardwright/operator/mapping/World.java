package dev.shardwright.operator.mapping;

import dev.shardwright.reshard.cutover.FenceReconciler;
import dev.shardwright.reshard.workflow.Admins;
import dev.shardwright.reshard.workflow.WorkflowEngine;
import dev.shardwright.topology.store.TopologyStore;

/** All that acts on one keyspace, sharing one lock. */
public record World(TopologyStore store, Admins admins, WorkflowEngine engine, FenceReconciler fences) {}
