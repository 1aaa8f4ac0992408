/** The first copy of the rows, in chunks between watermarks. */
@NullMarked
package dev.shardwright.reshard.copy;

import org.jspecify.annotations.NullMarked;
