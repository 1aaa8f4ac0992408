/** What a mover knows of the tables that it moves: columns, keys and their order, and where a row belongs. */
@NullMarked
package dev.shardwright.reshard.table;

import org.jspecify.annotations.NullMarked;
