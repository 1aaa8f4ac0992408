/** The first minute with Shardwright: a keyspace, a load, a split under it, and the proof that nothing was lost. */
@NullMarked
package dev.shardwright.local.demo;

import org.jspecify.annotations.NullMarked;
