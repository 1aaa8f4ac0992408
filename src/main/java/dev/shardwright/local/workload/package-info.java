/** A client with a memory: load, history and the checker that compares it with the shards. */
@NullMarked
package dev.shardwright.local.workload;

import org.jspecify.annotations.NullMarked;
