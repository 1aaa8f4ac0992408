package dev.shardwright.router.session;

import dev.shardwright.mysql.wire.ErrPacket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** What ROW_COUNT(), SHOW WARNINGS and the like have to tell of answers that the router gave and no server knows of. */
public final class OwnAnswer {
    /** What SIGNAL takes, in characters. */
    private static final int LONGEST_MESSAGE = 128;

    private static final String CUT = "...";
    private static final String NOTHING = "SET SESSION sql_select_limit = @@sql_select_limit";

    private @Nullable String statement;
    private @Nullable ErrPacket error;
    private boolean counts;

    /** A statement has been answered without an error; there is nothing to know about it. */
    void ok() {
        clear();
        statement = NOTHING;
    }

    void error(ErrPacket answer) {
        clear();
        error = new ErrPacket(answer.errno(), answer.sqlState(), cut(answer.message()));
    }

    /** A command that is no statement has been answered: it sets ROW_COUNT(), and warnings stay. */
    void command() {
        counts = true;
    }

    void clear() {
        statement = null;
        error = null;
        counts = false;
    }

    /** The statement after which a server knows all but {@link #counts}; null: none is needed. */
    public @Nullable String statement() {
        return error == null ? statement : signal(error);
    }

    /** What {@link #statement} is answered with; null: it succeeds. */
    public @Nullable ErrPacket error() {
        return error;
    }

    /** Whether a command without rows has to follow. */
    public boolean counts() {
        return counts;
    }

    /** Whatever the session's sql_mode and character sets are. */
    private static String signal(ErrPacket error) {
        return "SIGNAL SQLSTATE '" + error.sqlState() + "' SET MYSQL_ERRNO = " + error.errno()
                + ", MESSAGE_TEXT = _utf8mb4 x'"
                + HexFormat.of().formatHex(error.message().getBytes(StandardCharsets.UTF_8)) + "'";
    }

    /** Servers have their messages in utf8mb3. */
    private static String cut(String message) {
        var known = message.codePoints()
                .limit(LONGEST_MESSAGE + 1)
                .map(character -> Character.isBmpCodePoint(character) ? character : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return known.length() <= LONGEST_MESSAGE ? known : known.substring(0, LONGEST_MESSAGE - CUT.length()) + CUT;
    }
}
