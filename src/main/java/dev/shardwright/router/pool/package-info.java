/** Backend connections that the sessions of an event loop share: how many there are, who gets one, who waits. */
@NullMarked
package dev.shardwright.router.pool;

import org.jspecify.annotations.NullMarked;
