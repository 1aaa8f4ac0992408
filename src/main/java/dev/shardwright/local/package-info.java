/** The same keyspace and the same reshard on one machine, without Kubernetes. */
@NullMarked
package dev.shardwright.local;

import org.jspecify.annotations.NullMarked;
