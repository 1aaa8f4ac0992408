/** What the router remembers for one client connection. */
@NullMarked
package dev.shardwright.router.session;

import org.jspecify.annotations.NullMarked;
