/** Connections to a MySQL server for what JDBC has no way to say: a replica's, and one that gives rows as they were sent. */
@NullMarked
package dev.shardwright.mysql.client;

import org.jspecify.annotations.NullMarked;
