/** One mover: reads a source shard once and keeps its targets equal to it. */
@NullMarked
package dev.shardwright.reshard.mover;

import org.jspecify.annotations.NullMarked;
