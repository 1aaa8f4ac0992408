package dev.shardwright.mysql.client;

/**
 * Collects garbage before the heap grows beyond a soft bound: a serial collector lets a heap grow to all that it may have before it
 * looks at what is old, and that is much more than is needed unless rows are very long. Off unless the system property
 * {@code shardwright.softHeapMebibytes} is set.
 */
public final class SoftHeap {
    private static final long BYTES = Long.getLong("shardwright.softHeapMebibytes", 0) << 20;
    /** With less that is new it is not worth the while. */
    private static final long NEW_BYTES = 8L << 20;

    /** Beside one large row the rest of a mover needs these, new objects among them. */
    private static final long OTHER_BYTES = 64L << 20;

    private static long kept;

    private SoftHeap() {}

    /** To be called before so many bytes are taken. */
    public static void keep(long bytes) {
        if (BYTES > 0 && used() + bytes > BYTES) {
            collect(bytes);
        }
    }

    /**
     * To be called before so many bytes are taken at once: an OutOfMemoryError would end the process, and the next one as well.
     *
     * @param what takes them, for people
     */
    public static void reserve(String what, long bytes) throws RowTooLargeException {
        reserve(what, bytes, new byte[0]);
    }

    /** @param beginning of the row's packed values, as far as it is known */
    static void reserve(String what, long bytes, byte[] beginning) throws RowTooLargeException {
        keep(bytes);
        var most = Runtime.getRuntime().maxMemory() - OTHER_BYTES;
        if (bytes > Integer.MAX_VALUE - 8 || bytes > most - used() && bytes > most - usedAfterCollection()) {
            throw new RowTooLargeException(what, bytes, beginning);
        }
    }

    private static synchronized long usedAfterCollection() {
        System.gc();
        kept = used();
        return kept;
    }

    private static synchronized void collect(long bytes) {
        if (used() + bytes > BYTES && used() > kept + NEW_BYTES) {
            System.gc();
            kept = used();
        }
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** What a heap may hold: the soft bound, or else the most that the machine gives. */
    public static long bytes() {
        return BYTES > 0 ? BYTES : Runtime.getRuntime().maxMemory();
    }
}
