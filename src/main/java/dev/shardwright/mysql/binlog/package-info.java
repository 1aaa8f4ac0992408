/** A MySQL server's row changes as a stream of transactions. */
@NullMarked
package dev.shardwright.mysql.binlog;

import org.jspecify.annotations.NullMarked;
