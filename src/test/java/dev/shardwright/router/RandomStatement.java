package dev.shardwright.router;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A statement with the values of its parameters. */
record RandomStatement(String sql, List<@Nullable Object> parameters, Order order) {

    /** What of the rows is settled by the statement. */
    enum Order {
        FIXED,
        ANY,
        /** LIMIT without an order: how many rows there are, but not which. */
        ANY_ROWS
    }

    @Override
    public String toString() {
        return sql
                + parameters.stream()
                        .map(value -> value == null
                                ? " NULL"
                                : " " + value.getClass().getSimpleName() + ":"
                                        + (value instanceof byte[] bytes ? Arrays.toString(bytes) : value))
                        .collect(Collectors.joining(",", " --", ""));
    }
}
