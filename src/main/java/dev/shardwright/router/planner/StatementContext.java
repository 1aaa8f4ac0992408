package dev.shardwright.router.planner;

import dev.shardwright.router.planner.scan.SqlModes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a statement's meaning depends on besides its text.
 *
 * @param database the session's current database, null when none is chosen
 * @param charset the character set of the statement's text (character_set_client), in lower case
 * @param connection the one that literals and parameters are converted to (character_set_connection)
 * @param prepared sent by COM_STMT_PREPARE: {@code ?} marks parameters
 */
public record StatementContext(
        @Nullable String database, String charset, String connection, SqlModes modes, boolean prepared) {
    /** In these an ASCII text has the same bytes. */
    private static final Set<String> ASCII_BASED = Set.of("utf8mb4", "utf8mb3", "latin1", "ascii", "binary");

    /** With one character set for both. */
    public StatementContext(@Nullable String database, String charset, SqlModes modes, boolean prepared) {
        this(database, charset, charset, modes, prepared);
    }

    /** The same for a text that is sent by COM_STMT_PREPARE. */
    public StatementContext whenPrepared() {
        return new StatementContext(database, charset, connection, modes, true);
    }

    /** What MySQL compares or stores when it is given this text; a conversion may change its bytes, or lose some. */
    public SqlValue text(byte[] bytes) {
        return charset.equals(connection) || ASCII_BASED.contains(connection) && isAscii(bytes)
                ? new SqlValue.Text(bytes, charset)
                : new SqlValue.Other("text that is converted from " + charset + " to " + connection
                        + " (character_set_connection: use SET NAMES)");
    }

    private static boolean isAscii(byte[] bytes) {
        for (var b : bytes) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }
}
