/** The command line and the wiring of the roles. */
@NullMarked
package dev.shardwright.app;

import org.jspecify.annotations.NullMarked;
