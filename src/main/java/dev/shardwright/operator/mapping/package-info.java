/** The domain's ports in Kubernetes: hosts, routers, movers. */
@NullMarked
package dev.shardwright.operator.mapping;

import org.jspecify.annotations.NullMarked;
