/** A statement's bytes as MySQL's own lexer would cut them: its literals, and its text without them. */
@NullMarked
package dev.shardwright.router.planner.scan;

import org.jspecify.annotations.NullMarked;
