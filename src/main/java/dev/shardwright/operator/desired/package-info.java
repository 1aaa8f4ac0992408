/** Specification to Kubernetes objects: pure functions. */
@NullMarked
package dev.shardwright.operator.desired;

import org.jspecify.annotations.NullMarked;
