package dev.shardwright.router.planner.scan;

/**
 * Collects the text without its literals. Literals whose value decides the plan stay: numbers in
 * ORDER BY and GROUP BY are positions, and whatever stands in a version comment.
 */
final class Fingerprint {
    private final byte[] in;
    private final Bytes out;
    private boolean gap;
    private boolean freezeNext;
    private boolean byList;
    private int depth;
    private int byDepth;

    /** @param capacity how long it will be about, in bytes */
    Fingerprint(byte[] in, int capacity) {
        this.in = in;
        this.out = new Bytes(capacity);
    }

    void gap() {
        gap = out.length() > 0;
    }

    void raw(int start, int end) {
        separate();
        out.add(in, start, end);
        if (end == start + 1) {
            parenthesis(in[start]);
        }
    }

    private void separate() {
        if (gap) {
            out.add((byte) ' ');
            gap = false;
        }
    }

    private void parenthesis(byte c) {
        if (c == '(') {
            depth++;
        } else if (c == ')') {
            depth--;
            byList &= depth >= byDepth;
        }
    }

    /** The word has been added as raw text; keeps track of where literals are positions. */
    void word(int start, int end) {
        if (Ascii.isWord(in, start, end, "BY")) {
            byList = true;
            byDepth = depth;
        } else if (byList && depth == byDepth) {
            byList = !Ascii.isWord(in, start, end, "LIMIT") && !Ascii.isWord(in, start, end, "HAVING");
        }
    }

    void freezeNext() {
        freezeNext = true;
    }

    void literal(LiteralKind kind, int start, int end) {
        separate();
        if (freezeNext || byList) {
            out.add(in, start, end);
        } else {
            out.add(kind.mark());
        }
        freezeNext = false;
    }

    int length() {
        return out.length();
    }

    byte[] toArray() {
        return out.toArray();
    }
}
