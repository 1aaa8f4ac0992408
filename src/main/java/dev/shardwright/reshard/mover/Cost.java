package dev.shardwright.reshard.mover;

/**
 * What the copy or the comparison has cost since the mover was started.
 *
 * @param sourceMicros how long the source was read, in microseconds; two readers at a time count twice
 * @param targetMicros how long targets loaded or were compared, in microseconds; each counts
 * @param bytes of rows that were read from the source
 */
public record Cost(long sourceMicros, long targetMicros, long bytes) {
    public static final Cost NONE = new Cost(0, 0, 0);

    Cost plus(Cost other) {
        return new Cost(sourceMicros + other.sourceMicros, targetMicros + other.targetMicros, bytes + other.bytes);
    }
}
