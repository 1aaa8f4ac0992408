package dev.shardwright.router.planner.scan;

/**
 * A statement's text for a parser, one character for each byte of the statement, so that offsets are
 * the same in both. What parsers read in different ways is made plain: comments are blanks, strings have
 * single quotes and hold nothing but x, quoted names have backticks. Only the scanner decides where a literal
 * ends.
 */
public final class TamedText {
    private final char[] text;
    private boolean odd;

    public TamedText(byte[] statement) {
        text = new char[statement.length];
        for (var i = 0; i < text.length; i++) {
            text[i] = (char) (statement[i] & 0xff);
        }
    }

    /** Whether a quoted name holds a character that makes its reading doubtful. */
    public boolean odd() {
        return odd;
    }

    /** Whether there is a character beyond ASCII outside of strings. */
    public boolean hasHighBytes() {
        for (var c : text) {
            if (c >= 0x80) {
                return true;
            }
        }
        return false;
    }

    public String text() {
        return new String(text);
    }

    void blank(int start, int end) {
        for (var i = start; i < end; i++) {
            text[i] = ' ';
        }
    }

    void string(int start, int end) {
        for (var i = start + 1; i < end - 1; i++) {
            text[i] = 'x';
        }
        text[start] = '\'';
        text[end - 1] = '\'';
    }

    void name(int start, int end) {
        for (var i = start + 1; i < end - 1; i++) {
            odd |= text[i] == '`' || text[i] == '\\' || text[i] < ' ';
        }
        odd |= end - start <= 2;
        text[start] = '`';
        text[end - 1] = '`';
    }

    /** Character set introducers are looked up in lower case. */
    void word(int start, int end) {
        if (text[start] == '_') {
            for (var i = start; i < end; i++) {
                lower(i);
            }
        }
    }

    void lower(int at) {
        if (text[at] >= 'A' && text[at] <= 'Z') {
            text[at] += 32;
        }
    }
}
