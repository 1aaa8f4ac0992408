/** The answers of several shards made one, row by row: pure, no I/O, in bounded memory. */
@NullMarked
package dev.shardwright.router.executor.merge;

import org.jspecify.annotations.NullMarked;
