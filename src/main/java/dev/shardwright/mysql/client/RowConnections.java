package dev.shardwright.mysql.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Opens connections to one server that rows are read by. */
@FunctionalInterface
public interface RowConnections {
    /** @param ended the one that the new one replaces; null: none */
    RowConnection open(@Nullable RowConnection ended) throws IOException;
}
