package dev.shardwright.router.buffer;

/**
 * Bytes that one client's statements hold. Small ones are free, as there can't be more of them than clients; all
 * others come out of a budget that all clients share. Used on the client's event loop only.
 */
public final class ClientMemory {
    /** Bytes that each client may hold without a part of the budget. */
    public static final int FREE = 64 << 10;

    private final ByteBudget budget;
    private long held;

    public ClientMemory(ByteBudget budget) {
        this.budget = budget;
    }

    /** Holds so many bytes more; false when the budget does not have them now, and then nothing has changed. */
    public boolean take(long bytes) {
        long more = beyondFree(held + bytes) - beyondFree(held);
        if (more > 0 && !budget.take(more)) {
            return false;
        }
        held += bytes;
        return true;
    }

    public void giveBack(long bytes) {
        long less = beyondFree(held) - beyondFree(held - bytes);
        if (less > 0) {
            budget.giveBack(less);
        }
        held -= bytes;
    }

    /** Whether there would be so many bytes more if no other client held any. */
    public boolean couldTake(long bytes) {
        return beyondFree(held + bytes) <= budget.limit();
    }

    /** What all clients may hold together, in bytes. */
    public long limitOfAll() {
        return budget.limit();
    }

    private static long beyondFree(long bytes) {
        return Math.max(0, bytes - FREE);
    }
}
