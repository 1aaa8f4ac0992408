package dev.shardwright.reshard.mover;

/**
 * Bounds of one mover.
 *
 * @param readers connections that read chunks from the source
 * @param queueBytes for each target, of changes that wait for it
 * @param windowBytes of changes that one chunk's window remembers
 * @param maxTransactionBytes largest transaction of the source, as it is in the binary log
 * @param chunkRows most rows of one chunk
 * @param lagWindowMillis for how long the lag must not have shrunk before the mover says that it falls behind
 */
public record MoverTuning(
        int readers, long queueBytes, long windowBytes, long maxTransactionBytes, int chunkRows, long lagWindowMillis) {
    private static final int CHUNK_ROWS = 20_000;
    private static final long LAG_WINDOW_MILLIS = 60_000;
    private static final long MIB = 1L << 20;

    /** What fits a heap of this size beside everything else in it. */
    public static MoverTuning forHeap(long heapBytes) {
        return new MoverTuning(
                2,
                Math.clamp(heapBytes / 16, 8 * MIB, 64 * MIB),
                Math.clamp(heapBytes / 64, 4 * MIB, 16 * MIB),
                Math.clamp(heapBytes / 8, 32 * MIB, 512 * MIB),
                CHUNK_ROWS,
                LAG_WINDOW_MILLIS);
    }
}
