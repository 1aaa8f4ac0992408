package dev.shardwright.router.planner;

/** The parameters of one execution of a prepared statement; decoded only when asked for. */
@FunctionalInterface
public interface Parameters {
    /** The n-th parameter, from 0. */
    SqlValue get(int index);

    /** For statements that are not prepared. */
    Parameters NONE = index -> {
        throw new IllegalStateException("there is no parameter " + index);
    };
}
