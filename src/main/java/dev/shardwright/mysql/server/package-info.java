/** How our MySQL servers are set up: settings, bootstrap, and local processes. */
@NullMarked
package dev.shardwright.mysql.server;

import org.jspecify.annotations.NullMarked;
