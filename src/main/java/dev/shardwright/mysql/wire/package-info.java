/** The MySQL client/server protocol: packets, authentication, types. */
@NullMarked
package dev.shardwright.mysql.wire;

import org.jspecify.annotations.NullMarked;
