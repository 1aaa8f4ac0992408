/** The two sides of a client's statement on the wire: Netty handlers and codecs. */
@NullMarked
package dev.shardwright.router.protocol;

import org.jspecify.annotations.NullMarked;
