package dev.shardwright.reshard.mover;

import java.util.ArrayDeque;
import java.util.List;

/** Tells a lag that does not shrink from one that is worked off, and from a busy moment. Not thread-safe. */
final class LagTrend {
    private static final int LOOKS = 30;
    private static final int FLOORS_IN_WINDOW = 12;

    private record Look(long atMillis, long lagMillis) {}

    private final long windowMillis;
    private final ArrayDeque<Look> looks = new ArrayDeque<>();

    /** @param windowMillis for so long it must not have shrunk; a lag of less than a twelfth of that is none */
    LagTrend(long windowMillis) {
        this.windowMillis = windowMillis;
    }

    /** Whether it has not shrunk for a whole window. */
    boolean stays(long nowMillis, long lagMillis) {
        if (lagMillis < windowMillis / FLOORS_IN_WINDOW) {
            looks.clear();
            return false;
        }
        if (looks.isEmpty() || nowMillis - looks.getLast().atMillis >= windowMillis / LOOKS) {
            looks.add(new Look(nowMillis, lagMillis));
        }
        var full = false;
        while (nowMillis - looks.getFirst().atMillis > windowMillis) {
            looks.removeFirst();
            full = true;
        }
        return full && !shrinks();
    }

    /** What it was when the window began. */
    long lagBefore() {
        return looks.isEmpty() ? 0 : looks.getFirst().lagMillis;
    }

    /** By averages of thirds: after a burst it is the greatest in the middle, and then shrinks. */
    private boolean shrinks() {
        var all = List.copyOf(looks);
        var third = all.size() / 3;
        var last = average(all.subList(2 * third, all.size()));
        return last < average(all.subList(third, 2 * third)) || last < average(all.subList(0, third));
    }

    private static double average(List<Look> some) {
        return some.stream().mapToLong(Look::lagMillis).average().orElse(0);
    }
}
