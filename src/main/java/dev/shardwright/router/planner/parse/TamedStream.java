package dev.shardwright.router.planner.parse;

import dev.shardwright.router.planner.scan.TamedText;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.IntStream;
import org.antlr.v4.runtime.misc.Interval;

/**
 * A tamed text and a semicolon, as a lexer reads it. Positions are bytes of the statement, but the inside of long literals
 * is passed over: a lexer takes as long for each of a million bytes of a string as for any other, and learns nothing.
 */
final class TamedStream implements CharStream {
    private final TamedText text;
    private int at;

    TamedStream(TamedText text) {
        this.text = text;
    }

    @Override
    public void consume() {
        if (at >= size()) {
            throw new IllegalStateException("there is no more text");
        }
        at = text.next(at);
    }

    @Override
    public int LA(int offset) {
        var index = at;
        for (var i = 1; i < offset && index < size(); i++) {
            index = text.next(index);
        }
        for (var i = 0; i > offset && index >= 0; i--) {
            index = text.previous(index);
        }
        return offset == 0 ? 0 : character(index);
    }

    private int character(int index) {
        if (index < 0 || index >= size()) {
            return IntStream.EOF;
        }
        return index == text.length() ? ';' : text.at(index);
    }

    /** Without the inside of what is long. */
    @Override
    public String getText(Interval interval) {
        var part = new StringBuilder();
        for (var i = interval.a; i <= interval.b && i < size(); i = text.next(i)) {
            part.append((char) character(i));
        }
        return part.toString();
    }

    @Override
    public int mark() {
        return -1;
    }

    @Override
    public void release(int marker) {}

    @Override
    public int index() {
        return at;
    }

    @Override
    public void seek(int index) {
        at = Math.min(index, size());
    }

    @Override
    public int size() {
        return text.length() + 1;
    }

    @Override
    public String getSourceName() {
        return UNKNOWN_SOURCE_NAME;
    }
}
