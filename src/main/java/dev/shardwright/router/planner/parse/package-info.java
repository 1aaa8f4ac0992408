/** MySQL's grammar over a scanned statement, and what is in a parse tree. */
@NullMarked
package dev.shardwright.router.planner.parse;

import org.jspecify.annotations.NullMarked;
