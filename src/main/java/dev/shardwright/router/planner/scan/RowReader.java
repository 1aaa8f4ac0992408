package dev.shardwright.router.planner.scan;

import dev.shardwright.router.planner.scan.PlainRows.Place;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the {@link PlainRows} of an INSERT or REPLACE, token by token. */
final class RowReader {
    private static final Set<String> STATEMENTS = Set.of("INSERT", "REPLACE");
    private static final Set<String> VALUES = Set.of("VALUES", "VALUE");
    private static final Set<String> PLAIN = Set.of("NULL", "DEFAULT", "TRUE", "FALSE");
    private static final int LONGEST_WORD = 8;

    private enum State {
        BEFORE_ROWS,
        BETWEEN_ROWS,
        BEFORE_VALUE,
        AFTER_SIGN,
        AFTER_INTRODUCER,
        AFTER_VALUE,
        /** In a row that is not plain. */
        IN_OTHER,
        BEHIND_ROWS
    }

    private final TamedText text;
    private State state;
    private int depth;
    private int rowsSeen;
    private int endOfLast;
    private int folded;
    private Place row = new Place(0, 0, 0);
    private int fingerprintOfLast;

    RowReader(byte[] statement, TamedText text) {
        this.text = text;
        this.state = STATEMENTS.contains(FirstWord.of(statement)) ? State.BEFORE_ROWS : State.BEHIND_ROWS;
    }

    boolean isDone() {
        return state == State.BEHIND_ROWS;
    }

    /** Bytes of the fingerprint that are of plain rows. */
    int folded() {
        return folded;
    }

    /**
     * The next token, white space and comments included.
     *
     * @param from where it begins, and what has been before it
     * @param to where it ends, and what has been up to there
     * @param fingerprint length of the fingerprint with it
     * @param kind of the literal that it is; null: it is none
     */
    void token(Place from, Place to, int fingerprint, @Nullable LiteralKind kind) {
        char first = text.at(from.offset());
        if (kind == null && first == ' ') {
            return;
        }
        boolean mark = kind == null && to.offset() == from.offset() + 1;
        switch (state) {
            case BEFORE_ROWS -> beforeRows(from, to, mark ? first : 0);
            case BETWEEN_ROWS -> betweenRows(from, mark ? first : 0);
            case BEFORE_VALUE -> state = beforeValue(from, to, mark ? first : 0, kind);
            case AFTER_SIGN -> state = kind == null ? other(mark ? first : 0) : State.AFTER_VALUE;
            case AFTER_INTRODUCER -> state = canBeIntroduced(kind) ? State.AFTER_VALUE : other(mark ? first : 0);
            case AFTER_VALUE -> afterValue(to, fingerprint, mark ? first : 0);
            case IN_OTHER -> inOther(to, fingerprint, mark ? first : 0);
            case BEHIND_ROWS -> {}
        }
    }

    private void beforeRows(Place from, Place to, char mark) {
        depth += mark == '(' ? 1 : mark == ')' ? -1 : 0;
        if (depth == 0 && VALUES.contains(word(from, to))) {
            state = State.BETWEEN_ROWS;
        }
    }

    private void betweenRows(Place from, char mark) {
        if (mark == '(') {
            row = from;
            depth = 1;
            state = State.BEFORE_VALUE;
        } else if (mark != ',') {
            state = State.BEHIND_ROWS;
        }
    }

    private State beforeValue(Place from, Place to, char mark, @Nullable LiteralKind kind) {
        if (kind != null || mark == '?') {
            return State.AFTER_VALUE;
        }
        if (mark == '-') {
            return State.AFTER_SIGN;
        }
        var word = word(from, to);
        if (PLAIN.contains(word)) {
            return State.AFTER_VALUE;
        }
        return Introducers.KNOWN.contains(word.toLowerCase(Locale.ROOT)) ? State.AFTER_INTRODUCER : other(mark);
    }

    private static boolean canBeIntroduced(@Nullable LiteralKind kind) {
        return kind == LiteralKind.STRING || kind == LiteralKind.HEX || kind == LiteralKind.BIT;
    }

    private void afterValue(Place to, int fingerprint, char mark) {
        if (mark == ',') {
            state = State.BEFORE_VALUE;
        } else if (mark == ')') {
            if (rowsSeen > 0) {
                text.fold(endOfLast, row, to);
                folded += fingerprint - fingerprintOfLast;
            }
            endOfRow(to, fingerprint);
        } else {
            state = other(mark);
        }
    }

    private State other(char mark) {
        depth += mark == '(' ? 1 : mark == ')' ? -1 : 0;
        // A closing parenthesis here ends an empty row, or one that is cut short: left to the parser.
        return depth > 0 ? State.IN_OTHER : State.BEHIND_ROWS;
    }

    private void inOther(Place to, int fingerprint, char mark) {
        depth += mark == '(' ? 1 : mark == ')' ? -1 : 0;
        if (depth == 0) {
            endOfRow(to, fingerprint);
        }
    }

    private void endOfRow(Place to, int fingerprint) {
        rowsSeen++;
        fingerprintOfLast = fingerprint;
        endOfLast = to.offset();
        depth = 0;
        state = State.BETWEEN_ROWS;
    }

    /** In upper case; empty when it is none that matters. */
    private String word(Place from, Place to) {
        if (to.offset() - from.offset() > LONGEST_WORD) {
            return "";
        }
        var word = new StringBuilder(LONGEST_WORD);
        for (int i = from.offset(); i < to.offset(); i++) {
            char c = text.at(i);
            word.append(c >= 'a' && c <= 'z' ? (char) (c - 32) : c);
        }
        return word.toString();
    }
}
