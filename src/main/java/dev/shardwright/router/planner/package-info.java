/** From a statement's text to the shards that it needs, or to a refusal. */
@NullMarked
package dev.shardwright.router.planner;

import org.jspecify.annotations.NullMarked;
