package dev.shardwright.router.planner.scan;

import java.util.Arrays;

/**
 * Rows of a VALUES list that hold nothing but plain values: a parser need not read them, and a statement may have a
 * hundred thousand. They lie in runs: between two rows of a run there is nothing but a comma. The first row of the list
 * is never one of them.
 */
public final class PlainRows {
    private static final int ROW = 3;
    private static final int RUN = 6;

    private int[] rows = new int[0];
    private int rowCount;
    private int[] runs = new int[0];
    private int runCount;

    /**
     * Adds a row.
     *
     * @param after where the row before ends
     * @param from where the row begins, with its parenthesis, and the counts of what the text has had until there
     * @param to where it ends, likewise
     */
    void add(int after, Place from, Place to) {
        rows = withRoom(rows, rowCount * ROW, ROW);
        int row = rowCount++ * ROW;
        rows[row] = from.offset();
        rows[row + 1] = from.literals();
        rows[row + 2] = from.parameters();
        if (runCount == 0 || runEnd(runCount - 1) != after) {
            runs = withRoom(runs, runCount * RUN, RUN);
            int run = runCount++ * RUN;
            runs[run] = after;
            runs[run + 2] = from.literals();
            runs[run + 4] = from.parameters();
        }
        int run = (runCount - 1) * RUN;
        runs[run + 1] = to.offset();
        runs[run + 3] = to.literals();
        runs[run + 5] = to.parameters();
    }

    private static int[] withRoom(int[] all, int used, int more) {
        return used + more <= all.length ? all : Arrays.copyOf(all, Math.max(8 * more, 2 * all.length));
    }

    /** A place in the text. */
    record Place(int offset, int literals, int parameters) {}

    public int count() {
        return rowCount;
    }

    /** Offset of the row's opening parenthesis. */
    public int start(int row) {
        return rows[row * ROW];
    }

    /** Number of the first literal in the row, or behind it if it has none. */
    public int firstLiteral(int row) {
        return rows[row * ROW + 1];
    }

    /** Number of the first parameter in the row, or behind it if it has none. */
    public int firstParameter(int row) {
        return rows[row * ROW + 2];
    }

    public int runs() {
        return runCount;
    }

    /** Offset after the row before the run. */
    public int runStart(int run) {
        return runs[run * RUN];
    }

    /** Offset after the last row of the run. */
    public int runEnd(int run) {
        return runs[run * RUN + 1];
    }

    public int literalsFrom(int run) {
        return runs[run * RUN + 2];
    }

    public int literalsTo(int run) {
        return runs[run * RUN + 3];
    }

    public int parametersFrom(int run) {
        return runs[run * RUN + 4];
    }

    public int parametersTo(int run) {
        return runs[run * RUN + 5];
    }
}
