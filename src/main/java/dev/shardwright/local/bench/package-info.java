/** Measurements on a local keyspace. Figures are for people: nothing passes or fails by them. */
@NullMarked
package dev.shardwright.local.bench;

import org.jspecify.annotations.NullMarked;
