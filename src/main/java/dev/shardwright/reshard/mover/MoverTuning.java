package dev.shardwright.reshard.mover;

/**
 * Bounds of one mover.
 *
 * @param readers connections that read chunks from the source
 * @param roomBytes of rows that have been read and that some target has not got yet; a row that is larger is alone
 * @param queueBytes for each target, of changes that wait for it
 * @param windowBytes of changes that are remembered together for the chunks which are just being read
 * @param transactionBytes of row events that are kept in memory until their transaction ends, or their XA branch is committed
 * @param spillBytes of row events beyond that, in files of the process's temporary directory
 * @param chunkRows most rows of one chunk
 * @param lagWindowMillis for how long the lag must not have shrunk before the mover says that it falls behind
 */
public record MoverTuning(
        int readers,
        long roomBytes,
        long queueBytes,
        long windowBytes,
        long transactionBytes,
        long spillBytes,
        int chunkRows,
        long lagWindowMillis) {
    private static final int CHUNK_ROWS = 20_000;
    private static final long LAG_WINDOW_MILLIS = 60_000;
    private static final long MIB = 1L << 20;
    private static final long ROOM_BYTES = 32 * MIB;
    private static final long SPILL_BYTES = 64L << 30;

    public MoverTuning(
            int readers,
            long queueBytes,
            long windowBytes,
            long transactionBytes,
            int chunkRows,
            long lagWindowMillis) {
        this(readers, ROOM_BYTES, queueBytes, windowBytes, transactionBytes, SPILL_BYTES, chunkRows, lagWindowMillis);
    }

    /** What fits a heap of this size beside everything else in it. */
    public static MoverTuning forHeap(long heapBytes) {
        return new MoverTuning(
                2,
                Math.clamp(heapBytes / 16, 8 * MIB, 64 * MIB),
                Math.clamp(heapBytes / 32, 8 * MIB, 32 * MIB),
                Math.clamp(heapBytes / 16, 8 * MIB, 64 * MIB),
                CHUNK_ROWS,
                LAG_WINDOW_MILLIS);
    }
}
