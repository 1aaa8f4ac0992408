package dev.shardwright.router.planner.scan;

import java.util.Arrays;

/** Literals in arrays, because a statement may have a million of them. */
final class Tokens {
    private static final LiteralKind[] KINDS = LiteralKind.values();

    private byte[] kinds = new byte[8];
    private int[] bounds = new int[16];
    private int count;

    void add(LiteralKind kind, int start, int end) {
        if (count == kinds.length) {
            kinds = Arrays.copyOf(kinds, count * 2);
            bounds = Arrays.copyOf(bounds, count * 4);
        }
        kinds[count] = (byte) kind.ordinal();
        bounds[2 * count] = start;
        bounds[2 * count + 1] = end;
        count++;
    }

    int count() {
        return count;
    }

    LiteralKind kind(int index) {
        return KINDS[kinds[check(index)]];
    }

    int start(int index) {
        return bounds[2 * check(index)];
    }

    int end(int index) {
        return bounds[2 * check(index) + 1];
    }

    private int check(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException(index);
        }
        return index;
    }
}
