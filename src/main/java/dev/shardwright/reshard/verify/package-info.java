/** Comparison of source and targets by row data while writes go on. */
@NullMarked
package dev.shardwright.reshard.verify;

import org.jspecify.annotations.NullMarked;
