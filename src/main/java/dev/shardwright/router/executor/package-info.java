/** Runs a plan on backend connections and merges their answers. */
@NullMarked
package dev.shardwright.router.executor;

import org.jspecify.annotations.NullMarked;
