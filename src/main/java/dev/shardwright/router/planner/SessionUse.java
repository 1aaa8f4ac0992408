package dev.shardwright.router.planner;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * How a statement depends on what earlier statements of the session left on its backend connection, and what it leaves
 * there itself.
 *
 * @param pins it leaves state that the router does not track (a user variable assigned in a SELECT, a lock, a temporary
 *     table): the session keeps the connection from here on
 * @param lastStatement its answer depends on the session's previous statement (ROW_COUNT(), SHOW WARNINGS ...): it has
 *     to run where that one ran
 * @param insertId it reads or sets LAST_INSERT_ID()
 * @param userVariables those that it reads, as in {@link SessionStatement.Assignment#name}
 */
public record SessionUse(boolean pins, boolean lastStatement, boolean insertId, Set<String> userVariables) {
    private static final Set<String> LAST_STATEMENT =
            Set.of("ROW_COUNT", "FOUND_ROWS", "WARNING", "ERROR", "DIAGNOSTICS");

    public static final SessionUse NONE = new SessionUse(false, false, false, Set.of());

    /** Of a text that we can't read: it may do anything, but can't ask for what it does not name. */
    static SessionUse unread(byte[] statement) {
        var text = new String(statement, StandardCharsets.ISO_8859_1).toUpperCase(Locale.ROOT);
        return new SessionUse(
                true,
                LAST_STATEMENT.stream().anyMatch(text::contains),
                text.contains("LAST_INSERT_ID") || text.contains("IDENTITY"),
                Set.of());
    }
    /** Of a SELECT or SHOW that does nothing else than to ask. */
    static SessionUse asking(Features features) {
        return new SessionUse(
                false,
                features.asksLastStatement() || !features.asksInsertId(),
                features.asksInsertId(),
                features.userVariables);
    }

    static SessionUse of(Features features, boolean pins) {
        return pins || features.aboutLastStatement() || !features.userVariables.isEmpty()
                ? new SessionUse(
                        pins, features.asksLastStatement(), features.asksInsertId(), Set.copyOf(features.userVariables))
                : NONE;
    }
}
