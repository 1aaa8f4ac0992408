/** The reconcilers of Keyspace, Shard and ReshardWorkflow. */
@NullMarked
package dev.shardwright.operator.reconcile;

import org.jspecify.annotations.NullMarked;
