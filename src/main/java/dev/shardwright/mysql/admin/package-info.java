/** What operator and mover do on a MySQL server by JDBC: fences, identity, users. */
@NullMarked
package dev.shardwright.mysql.admin;

import org.jspecify.annotations.NullMarked;
