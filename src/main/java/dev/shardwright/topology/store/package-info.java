/** Where the topology lives: a ConfigMap, or a file in local mode; compare-and-set on the epoch. */
@NullMarked
package dev.shardwright.topology.store;

import org.jspecify.annotations.NullMarked;
