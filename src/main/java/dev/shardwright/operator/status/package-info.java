/** What the custom resources' status says, and when it is written. */
@NullMarked
package dev.shardwright.operator.status;

import org.jspecify.annotations.NullMarked;
