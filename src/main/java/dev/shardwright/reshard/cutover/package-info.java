/** The switchover: fence, catch up, flip. */
@NullMarked
package dev.shardwright.reshard.cutover;

import org.jspecify.annotations.NullMarked;
