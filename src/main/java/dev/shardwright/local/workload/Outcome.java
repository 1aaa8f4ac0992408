package dev.shardwright.local.workload;

import java.sql.SQLException;
import java.util.Set;

/** What the client knows of a write once it has tried. */
sealed interface Outcome {

    /** The server said that it was done. */
    record Acknowledged(int rows) implements Outcome {}

    /** The server said that it was not done: nothing of it may be there. */
    record Failed(int errno, String message) implements Outcome {}

    /** Nobody told: it may be there or not. */
    record Unknown(int errno, String message) implements Outcome {}

    /** Refused before it ran, or rolled back. Any other error leaves the outcome open, to be on the safe side. */
    Set<Integer> NOT_DONE = Set.of(
            1040, 1044, 1045, 1046, 1048, 1049, 1054, 1062, 1064, 1142, 1146, 1203, 1205, 1213, 1235, 1264, 1290, 1366,
            1406, 3032);

    int DEADLOCK = 1213;

    /** In place of an errno: the statement ran, but found another number of rows than it must. */
    int WRONG_COUNT = -1;

    static Outcome of(SQLException failure) {
        return isNotDone(failure)
                ? new Failed(failure.getErrorCode(), message(failure))
                : new Unknown(failure.getErrorCode(), message(failure));
    }

    static boolean isNotDone(SQLException failure) {
        return NOT_DONE.contains(failure.getErrorCode()) && !isLinkFailure(failure);
    }

    static boolean isLinkFailure(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && state.startsWith("08") && !NOT_DONE.contains(failure.getErrorCode());
    }

    static boolean isRetriable(SQLException failure) {
        return failure.getErrorCode() == DEADLOCK || "40001".equals(failure.getSQLState());
    }

    static String message(SQLException failure) {
        return String.valueOf(failure.getMessage()).replaceAll("\\s+", " ");
    }
}
