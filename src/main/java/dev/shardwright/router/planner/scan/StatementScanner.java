package dev.shardwright.router.planner.scan;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a statement into literals and the rest, byte by byte, by the rules of MySQL's lexer. Only for
 * character sets in which no byte of a longer character is an ASCII byte (utf8, latin1, ascii, binary).
 * Text whose reading depends on more than that is reported as a problem, never guessed.
 */
public final class StatementScanner {
    /** Version comments up to this version run on every server that we support. */
    private static final int OLDEST_SERVER = 80400;
    /** And those from this version on run on none. */
    private static final int FUTURE_SERVER = 999_000;

    /** Length of a statement that is long enough for most, in bytes. */
    private static final int SHORT = 256;
    /** Of a longer one most is literals, which a fingerprint does not have; in bytes. */
    private static final int LONG = 1 << 14;

    private final byte[] in;
    private final int limit;
    private final SqlModes modes;
    private final @Nullable TamedText tamed;
    private final @Nullable RowReader rows;
    private final Tokens literals = new Tokens();
    private final Fingerprint out;
    private final boolean freezeAll;
    private int pos;
    private int parameters;
    private boolean inVersionComment;
    private boolean afterName;
    private int next = -1;
    private @Nullable String problem;
    private final boolean cutting;
    private String firstWord = "";
    private String secondWord = "";

    private StatementScanner(byte[] in, SqlModes modes, @Nullable TamedText tamed) {
        this.in = in;
        this.limit = in.length;
        this.modes = modes;
        this.tamed = tamed;
        this.rows = tamed == null ? null : new RowReader(in, tamed);
        this.out = new Fingerprint(in, Math.min(in.length, LONG));
        this.freezeAll = !FirstWord.hasInterchangeableLiterals(in);
        this.cutting = false;
    }

    /** Only to find where the statement ends that begins at {@code from}. */
    private StatementScanner(byte[] in, int from, SqlModes modes) {
        this.in = in;
        this.limit = in.length;
        this.modes = modes;
        this.tamed = null;
        this.rows = null;
        this.out = new Fingerprint(in, SHORT);
        this.freezeAll = false;
        this.cutting = true;
        this.pos = from;
    }

    public static Scan scan(byte[] statement, SqlModes modes) {
        return new StatementScanner(statement, modes, null).run();
    }

    /** The same, and the text made ready for a parser: see {@link TamedText}. */
    public static Scan scan(byte[] statement, SqlModes modes, TamedText tamed) {
        return new StatementScanner(statement, modes, tamed).run();
    }

    /** Finds the end of the statement that begins at {@code from} in a text of several. */
    public static Cut cut(byte[] text, int from, SqlModes modes) {
        var start = from;
        while (start < text.length && Ascii.isSpace(text[start])) {
            start++;
        }
        var scanner = new StatementScanner(text, start, modes);
        scanner.read();
        var last = scanner.next < 0;
        return new Cut(
                start,
                last ? text.length : scanner.next - 1,
                scanner.next,
                scanner.problem != null || Cut.mayHaveBody(scanner.firstWord, scanner.secondWord));
    }

    private void read() {
        while (pos < limit && problem == null && next < 0) {
            if (rows == null || rows.isDone()) {
                token(in[pos]);
            } else {
                token(rows);
            }
        }
        if (problem == null && inVersionComment) {
            problem = "a comment that is not closed";
        }
    }

    private void token(RowReader reader) {
        var from = new PlainRows.Place(pos, literals.count(), parameters);
        token(in[pos]);
        var to = new PlainRows.Place(pos, literals.count(), parameters);
        var kind = to.literals() > from.literals() ? literals.kind(from.literals()) : null;
        if (problem == null) {
            reader.token(from, to, out.length(), kind);
        }
    }

    private Scan run() {
        read();
        if (tamed != null && rows != null) {
            tamed.size(out.length() - rows.folded());
        }
        return new Scan(in, literals, parameters, out.toArray(), next, problem);
    }

    private void token(byte c) {
        if (Ascii.isSpace(c)) {
            skip(pos + 1);
        } else if (c == '\'' || (c == '"' && !modes.ansiQuotes())) {
            string(LiteralKind.STRING, pos);
        } else if (c == '`' || c == '"') {
            quotedName(c);
        } else if (Ascii.isDigit(c)) {
            number();
        } else if (Ascii.isNamePart(c)) {
            word();
        } else {
            punctuation(c);
        }
    }

    private void punctuation(byte c) {
        switch (c) {
            case '#' -> lineComment();
            case '-' -> {
                if (startsDashComment()) {
                    lineComment();
                } else {
                    plain(pos + 1);
                }
            }
            case '/' -> {
                if (at(pos + 1) == '*') {
                    blockComment();
                } else {
                    plain(pos + 1);
                }
            }
            case '*' -> {
                if (inVersionComment && at(pos + 1) == '/') {
                    inVersionComment = false;
                    skip(pos + 2);
                } else {
                    plain(pos + 1);
                }
            }
            case '.' -> point();
            case '@' -> variable();
            case '?' -> {
                parameters++;
                plain(pos + 1);
            }
            case ';' -> semicolon();
            case '\\' -> {
                if (at(pos + 1) == 'N') {
                    plain(pos + 2);
                } else {
                    problem = "a backslash outside of a string";
                }
            }
            default -> {
                if (c < 0x20 || c == 0x7f) {
                    problem = "a control character outside of a string";
                } else {
                    plain(pos + 1);
                }
            }
        }
    }

    /** White space and comments: nothing to a parser, one blank in the fingerprint. */
    private void skip(int end) {
        out.gap();
        blank(end);
        pos = end;
        afterName = false;
    }

    private void blank(int end) {
        if (tamed != null) {
            tamed.blank(pos, end);
        }
    }

    private void plain(int end) {
        out.raw(pos, end);
        pos = end;
        afterName = false;
    }

    private boolean startsDashComment() {
        if (at(pos + 1) != '-') {
            return false;
        }
        var third = at(pos + 2);
        return third < 0 || third == 0x7f || third <= ' ';
    }

    private void lineComment() {
        var end = pos;
        while (end < limit && in[end] != '\n') {
            end++;
        }
        skip(end);
    }

    private void blockComment() {
        var kind = at(pos + 2);
        if (kind == '!') {
            versionComment();
            return;
        }
        var close = close(pos + 2);
        if (close < 0) {
            problem = "a comment that is not closed";
        } else if (kind == '+') {
            blank(close);
            out.gap();
            out.raw(pos, close);
            out.gap();
            pos = close;
        } else {
            skip(close);
        }
    }

    private int close(int from) {
        for (var i = from; i + 1 < limit; i++) {
            if (in[i] == '*' && in[i + 1] == '/') {
                return i + 2;
            }
        }
        return -1;
    }

    private void versionComment() {
        var digits = pos + 3;
        while (digits < limit && digits < pos + 9 && Ascii.isDigit(in[digits])) {
            digits++;
        }
        var length = digits - pos - 3;
        if (length > 0 && length < 5) {
            problem = "a version comment with fewer than 5 digits";
            return;
        }
        var version = length == 0 ? 0 : Ascii.parseInt(in, pos + 3, digits);
        if (version <= OLDEST_SERVER) {
            inVersionComment = true;
            skip(digits);
        } else if (version >= FUTURE_SERVER && close(digits) > 0) {
            skip(close(digits));
        } else {
            problem = "a comment for MySQL version " + version + " that some servers run and some do not";
        }
    }

    private void semicolon() {
        var i = pos + 1;
        while (i < limit && (Ascii.isSpace(in[i]) || in[i] == ';')) {
            i++;
        }
        if (i < limit) {
            next = pos + 1;
        }
        blank(limit);
        pos = limit;
    }

    private void point() {
        if (!afterName && Ascii.isDigit(at(pos + 1))) {
            fraction(pos);
        } else {
            var name = afterName;
            plain(pos + 1);
            // After "name." even a keyword or a digit begins a name.
            if (name && pos < limit && Ascii.isNamePart(in[pos])) {
                nameRun(pos);
            }
        }
    }

    private void nameRun(int start) {
        var end = start;
        while (end < limit && Ascii.isNamePart(in[end])) {
            end++;
        }
        out.raw(start, end);
        pos = end;
        afterName = true;
    }

    private void variable() {
        plain(pos + 1);
        if (at(pos) == '@') {
            plain(pos + 1);
            return;
        }
        var c = at(pos);
        if (c == '\'' || c == '"') {
            out.freezeNext();
            if (c == '"' && modes.ansiQuotes()) {
                quotedName((byte) c);
            } else {
                string(LiteralKind.STRING, pos);
            }
        } else if (c != '`') {
            var end = pos;
            while (end < limit && (Ascii.isNamePart(in[end]) || in[end] == '.')) {
                end++;
            }
            plain(end);
        }
    }

    private void word() {
        var c = in[pos];
        if (at(pos + 1) == '\'') {
            if (c == 'n' || c == 'N') {
                string(LiteralKind.NATIONAL, pos + 1);
                return;
            }
            if (c == 'x' || c == 'X' || c == 'b' || c == 'B') {
                quotedDigits(c == 'x' || c == 'X');
                return;
            }
        }
        if (c == '$') {
            problem = "a name that begins with $";
            return;
        }
        var start = pos;
        nameRun(start);
        if (cutting) {
            note(start);
        }
        if (tamed != null) {
            tamed.word(start, pos);
        }
        out.word(start, pos);
    }

    private void note(int start) {
        if (firstWord.isEmpty()) {
            firstWord = upper(start);
        } else if (secondWord.isEmpty()) {
            secondWord = upper(start);
        }
    }

    private String upper(int start) {
        return new String(in, start, pos - start, StandardCharsets.ISO_8859_1).toUpperCase(Locale.ROOT);
    }

    private void quotedDigits(boolean hex) {
        var end = pos + 2;
        while (end < limit && (hex ? Ascii.isHexDigit(in[end]) : in[end] == '0' || in[end] == '1')) {
            end++;
        }
        if (at(end) != '\'') {
            problem = hex ? "an x'...' literal with other characters than hex digits" : "a malformed b'...' literal";
            return;
        }
        if (tamed != null) {
            tamed.lower(pos);
        }
        literal(hex ? LiteralKind.HEX : LiteralKind.BIT, end + 1);
    }

    private void number() {
        var end = pos;
        if (in[pos] == '0' && (at(pos + 1) == 'x' || at(pos + 1) == 'b')) {
            var hex = at(pos + 1) == 'x';
            end = pos + 2;
            while (end < limit && (hex ? Ascii.isHexDigit(in[end]) : in[end] == '0' || in[end] == '1')) {
                end++;
            }
            if (end > pos + 2 && !(end < limit && Ascii.isNamePart(in[end]))) {
                literal(hex ? LiteralKind.HEX : LiteralKind.BIT, end);
            } else {
                nameRun(pos);
            }
            return;
        }
        while (end < limit && Ascii.isDigit(in[end])) {
            end++;
        }
        var c = at(end);
        if (c == '.') {
            fraction(end);
        } else if (exponentEnd(end) > 0) {
            literal(LiteralKind.FLOAT, exponentEnd(end));
        } else if (c >= 0 && Ascii.isNamePart((byte) c) || end < limit && in[end] < 0) {
            nameRun(pos);
        } else {
            literal(end - pos > 20 ? LiteralKind.DECIMAL : LiteralKind.INTEGER, end);
        }
    }

    /** The rest of a number from its decimal point on. */
    private void fraction(int point) {
        var end = point + 1;
        while (end < limit && Ascii.isDigit(in[end])) {
            end++;
        }
        var exponent = exponentEnd(end);
        if (exponent > 0) {
            literal(LiteralKind.FLOAT, exponent);
        } else if (at(end) == 'e' || at(end) == 'E') {
            problem = "a malformed number";
        } else {
            literal(LiteralKind.DECIMAL, end);
        }
    }

    /** Where the exponent that begins here ends, or -1 when none begins here. */
    private int exponentEnd(int e) {
        if (at(e) != 'e' && at(e) != 'E') {
            return -1;
        }
        var digits = at(e + 1) == '+' || at(e + 1) == '-' ? e + 2 : e + 1;
        var end = digits;
        while (end < limit && Ascii.isDigit(in[end])) {
            end++;
        }
        return end > digits ? end : -1;
    }

    private void string(LiteralKind kind, int quoteAt) {
        var quote = in[quoteAt];
        var end = quoteAt + 1;
        while (end < limit) {
            if (in[end] == '\\' && !modes.noBackslashEscapes()) {
                end += 2;
            } else if (in[end] != quote) {
                end++;
            } else if (at(end + 1) == quote) {
                end += 2;
            } else {
                break;
            }
        }
        if (end >= limit) {
            problem = "a string that is not closed";
            return;
        }
        if (tamed != null) {
            tamed.string(quoteAt, end + 1);
        }
        literal(kind, end + 1);
    }

    private void literal(LiteralKind kind, int end) {
        literals.add(kind, pos, end);
        if (tamed != null && (kind == LiteralKind.HEX || kind == LiteralKind.BIT)) {
            tamed.digits(pos, end);
        }
        if (freezeAll || inVersionComment) {
            out.freezeNext();
        }
        out.literal(kind, pos, end);
        pos = end;
        afterName = false;
    }

    private void quotedName(byte quote) {
        var end = pos + 1;
        while (end < limit && in[end] != quote) {
            end++;
        }
        if (end >= limit) {
            problem = "a quoted name that is not closed";
        } else if (at(end + 1) == quote) {
            problem = "a quoted name with the quote in it";
        } else {
            if (tamed != null) {
                tamed.name(pos, end + 1);
            }
            out.raw(pos, end + 1);
            pos = end + 1;
            afterName = true;
        }
    }

    private int at(int index) {
        return index < limit ? in[index] & 0xff : -1;
    }
}
