package dev.shardwright.router.planner;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How a statement depends on what earlier statements of the session left on its backend connection, and what it leaves
 * there itself.
 *
 * @param residue what it leaves that can't be put on another connection
 * @param lastStatement its answer depends on the session's previous statement (ROW_COUNT(), SHOW WARNINGS ...): it has
 *     to run where that one ran
 * @param insertId it reads or sets LAST_INSERT_ID()
 * @param userVariables those that it reads, as in {@link SessionStatement.Assignment#name}
 */
public record SessionUse(Residue residue, boolean lastStatement, boolean insertId, Set<String> userVariables) {
    private static final Set<String> LAST_STATEMENT =
            Set.of("ROW_COUNT", "FOUND_ROWS", "WARNING", "ERROR", "DIAGNOSTICS");

    private static final Pattern OBJECT =
            Pattern.compile("\\b(TABLE|TEMPORARY|TRIGGER|PROCEDURE|FUNCTION|EVENT|VIEW)\\b");

    public static final SessionUse NONE = new SessionUse(Residue.Plain.NOTHING, false, false, Set.of());

    /** Of a text that we can't read: it may do anything, but can't ask for what it does not name. */
    static SessionUse unread(byte[] statement, boolean ddl) {
        var text = new String(statement, StandardCharsets.ISO_8859_1).toUpperCase(Locale.ROOT);
        return new SessionUse(
                ddl && definesCode(text) ? Residue.Plain.NOTHING : Residue.Plain.ANYTHING,
                LAST_STATEMENT.stream().anyMatch(text::contains),
                text.contains("LAST_INSERT_ID") || text.contains("IDENTITY"),
                Set.of());
    }

    /** Whether the DDL is about what runs later, not about a table, which may be temporary or filled at once. */
    private static boolean definesCode(String text) {
        var object = OBJECT.matcher(text);
        return object.find()
                && !object.group().startsWith("TA")
                && !object.group().startsWith("TE");
    }

    /** Of a SELECT or SHOW that does nothing else than to ask. */
    static SessionUse asking(Planning planning) {
        var features = planning.features();
        return new SessionUse(
                Residues.of(planning),
                features.asksLastStatement() || !features.asksInsertId(),
                features.asksInsertId(),
                features.userVariables);
    }

    static SessionUse of(Planning planning) {
        var features = planning.features();
        var residue = Residues.of(planning);
        return residue != Residue.Plain.NOTHING || features.aboutLastStatement() || !features.userVariables.isEmpty()
                ? new SessionUse(
                        residue,
                        features.asksLastStatement(),
                        features.asksInsertId(),
                        Set.copyOf(features.userVariables))
                : NONE;
    }

    /** Of DDL: what it names beside tables is run later, if ever. */
    static SessionUse ofDdl(Planning planning) {
        if (Residues.selects(planning)) {
            return of(planning);
        }
        var residue = Residues.ofDdl(planning);
        return residue == Residue.Plain.NOTHING ? NONE : new SessionUse(residue, false, false, Set.of());
    }
}
