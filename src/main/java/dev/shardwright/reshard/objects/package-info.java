/** What in a keyspace's database is neither table nor row: views, routines, events, triggers, and the database's own options. */
@NullMarked
package dev.shardwright.reshard.objects;

import org.jspecify.annotations.NullMarked;
