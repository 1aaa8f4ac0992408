@NullMarked
package dev.shardwright.router.pool;

import org.jspecify.annotations.NullMarked;
