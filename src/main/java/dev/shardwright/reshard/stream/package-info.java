/** The changes of a source, applied to its targets in commit order. */
@NullMarked
package dev.shardwright.reshard.stream;

import org.jspecify.annotations.NullMarked;
