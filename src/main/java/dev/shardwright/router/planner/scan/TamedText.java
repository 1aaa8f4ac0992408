package dev.shardwright.router.planner.scan;

import java.util.Arrays;

/**
 * A statement's text for a parser, one character for each byte of the statement, so that offsets are
 * the same in both. What parsers read in different ways is made plain: comments are blanks, strings have
 * single quotes and hold nothing but x, quoted names have backticks. Only the scanner decides where a literal
 * ends. The inside of what is long, and the {@link PlainRows}, are left out by a reader: see {@link #next}.
 */
public final class TamedText {
    /** Parts that are longer than this are shortened, in bytes. */
    private static final int LONG = 64;
    /** What is left of them at each end, in bytes. */
    private static final int KEPT = 8;

    private final byte[] text;
    private int[] gaps = new int[0];
    private int gapEnds;
    private boolean odd;
    private final PlainRows rows = new PlainRows();
    private int size;

    public TamedText(byte[] statement) {
        text = statement.clone();
    }

    /** Whether a quoted name holds a character that makes its reading doubtful. */
    public boolean odd() {
        return odd;
    }

    /** Whether there is a character beyond ASCII outside of strings. */
    public boolean hasHighBytes() {
        for (var c : text) {
            if (c < 0) {
                return true;
            }
        }
        return false;
    }

    /** Rows that a reader does not see. */
    public PlainRows rows() {
        return rows;
    }

    /** How much a parser has to read: length of the statement's fingerprint without the plain rows. */
    public int size() {
        return size;
    }

    void size(int bytes) {
        size = bytes;
    }

    /** As long as the statement, in bytes. */
    public int length() {
        return text.length;
    }

    public char at(int index) {
        return (char) (text[index] & 0xff);
    }

    /** Where a reader goes on after this character: behind the inside of a long literal or comment, if it begins there. */
    public int next(int index) {
        var next = index + 1;
        var gap = gap(next);
        return gap >= 0 && gap % 2 == 0 ? gaps[gap + 1] : next;
    }

    /** The character before this one, read in the same way. */
    public int previous(int index) {
        var gap = gap(index);
        return (gap >= 0 && gap % 2 == 1 ? gaps[gap - 1] : index) - 1;
    }

    /** Starts have even numbers, ends odd ones. */
    private int gap(int bound) {
        return gapEnds == 0 ? -1 : Arrays.binarySearch(gaps, 0, gapEnds, bound);
    }

    void blank(int start, int end) {
        Arrays.fill(text, start, end, (byte) ' ');
        shorten(start, end);
    }

    void string(int start, int end) {
        Arrays.fill(text, start + 1, end - 1, (byte) 'x');
        text[start] = '\'';
        text[end - 1] = '\'';
        shorten(start, end);
    }

    /** Hexadecimal or binary digits, with what is around them. */
    void digits(int start, int end) {
        shorten(start, end);
    }

    private void shorten(int start, int end) {
        if (end - start > LONG) {
            gap(start + KEPT, end - KEPT);
        }
    }

    /**
     * A plain row, which becomes a part of one gap with those before it.
     *
     * @param after where the row before ends
     */
    void fold(int after, PlainRows.Place from, PlainRows.Place to) {
        rows.add(after, from, to);
        while (gapEnds > 0 && gaps[gapEnds - 2] >= after) {
            gapEnds -= 2;
        }
        if (gapEnds > 0 && gaps[gapEnds - 1] == after) {
            gaps[gapEnds - 1] = to.offset();
        } else {
            gap(after, to.offset());
        }
    }

    private void gap(int start, int end) {
        if (gapEnds == gaps.length) {
            gaps = Arrays.copyOf(gaps, Math.max(8, 2 * gapEnds));
        }
        gaps[gapEnds++] = start;
        gaps[gapEnds++] = end;
    }

    void name(int start, int end) {
        for (var i = start + 1; i < end - 1; i++) {
            odd |= text[i] == '`' || text[i] == '\\' || at(i) < ' ';
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
