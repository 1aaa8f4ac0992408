/** The custom resources' Java types, nothing else: no I/O, no behaviour beyond what the schema says. */
@NullMarked
package dev.shardwright.api;

import org.jspecify.annotations.NullMarked;
