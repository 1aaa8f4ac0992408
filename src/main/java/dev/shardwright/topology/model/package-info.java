/** The topology document: which shard owns which range, and what the workflows must not lose. */
@NullMarked
package dev.shardwright.topology.model;

import org.jspecify.annotations.NullMarked;
