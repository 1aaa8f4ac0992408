/** Functions from a row's shard key to its place in the key space, compatible with Vitess. */
@NullMarked
package dev.shardwright.topology.vindex;

import org.jspecify.annotations.NullMarked;
