/** A reshard's life: phases, goals, and the ports by which it acts on the world. */
@NullMarked
package dev.shardwright.reshard.workflow;

import org.jspecify.annotations.NullMarked;
