/** What statements hold in memory, and those that wait for a shard that is being switched over. */
@NullMarked
package dev.shardwright.router.buffer;

import org.jspecify.annotations.NullMarked;
