/** Key space identifiers and the ranges of them that shards own. */
@NullMarked
package dev.shardwright.topology.keyrange;

import org.jspecify.annotations.NullMarked;
