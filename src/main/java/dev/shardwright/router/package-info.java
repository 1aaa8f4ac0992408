/** The router: clients' MySQL connections in, shards' MySQL connections out. */
@NullMarked
package dev.shardwright.router;

import org.jspecify.annotations.NullMarked;
