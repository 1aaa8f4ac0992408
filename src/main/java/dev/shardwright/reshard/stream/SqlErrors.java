package dev.shardwright.reshard.stream;

import dev.shardwright.mysql.client.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which failures go away by themselves. */
public final class SqlErrors {
    /** Deadlock, lock wait timeout (rows, metadata), lock wait aborted. */
    private static final Set<Integer> CONFLICTS = Set.of(1205, 1213, 3572, 3058);
    /** Full disk, too many connections, shutdown, read-only or offline for a while, interrupted. */
    private static final Set<Integer> PASSING = Set.of(
            3, 1021, 1026, 1037, 1038, 1040, 1041, 1053, 1077, 1078, 1079, 1080, 1114, 1129, 1135, 1158, 1159, 1160,
            1161, 1203, 1290, 1317, 1836, 2002, 2003, 2006, 2013, 3024, 3032, 3100, 3168, 3675);

    private static final int BAD_BINLOG = 1236;

    private SqlErrors() {}

    /** The transaction was rolled back and may be tried again as it is. */
    static boolean isConflict(SQLException e) {
        return CONFLICTS.contains(e.getErrorCode());
    }

    static boolean isPermanent(SQLException e) {
        var state = e.getSQLState();
        return !CONFLICTS.contains(e.getErrorCode())
                && !PASSING.contains(e.getErrorCode())
                && (state == null || !state.startsWith("08"));
    }

    /** Whether a new attempt from the checkpoints makes sense. */
    public static boolean isPassing(@Nullable Throwable failure) {
        return switch (failure) {
            case ServerException e -> e.errno() != BAD_BINLOG && PASSING.contains(e.errno());
            case IOException e -> true;
            case UncheckedIOException e -> isPassing(e.getCause());
            case SQLException e -> !isPermanent(e);
            case null, default -> false;
        };
    }
}
