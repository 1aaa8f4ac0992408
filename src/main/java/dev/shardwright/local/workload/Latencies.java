package dev.shardwright.local.workload;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A histogram of durations in microseconds with an error below 7%, from 0 to over an hour. Any number
 * of threads may record.
 */
final class Latencies {
    private static final int STEPS = 16;
    private static final int OCTAVES = 32;

    private final AtomicLongArray counts = new AtomicLongArray(STEPS * OCTAVES);

    void record(long micros) {
        counts.incrementAndGet(bucket(Math.max(0, micros)));
    }

    private static int bucket(long micros) {
        if (micros < STEPS) {
            return (int) micros;
        }
        int exponent = 63 - Long.numberOfLeadingZeros(micros);
        int step = (int) (micros >>> (exponent - 4)) & (STEPS - 1);
        return Math.min((exponent - 3) * STEPS + step, STEPS * OCTAVES - 1);
    }

    /** The largest duration of a bucket. */
    private static long top(int bucket) {
        if (bucket < STEPS) {
            return bucket;
        }
        int exponent = bucket / STEPS + 3;
        long step = bucket % STEPS;
        return ((STEPS + step + 1) << (exponent - 4)) - 1;
    }

    void add(Latencies other) {
        for (int i = 0; i < counts.length(); i++) {
            counts.addAndGet(i, other.counts.get(i));
        }
    }

    long count() {
        long sum = 0;
        for (int i = 0; i < counts.length(); i++) {
            sum += counts.get(i);
        }
        return sum;
    }

    /** The duration that this share of all (0 to 1) did not exceed; 0 when there are none. */
    long percentile(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * count()));
        long seen = 0;
        for (int i = 0; i < counts.length(); i++) {
            seen += counts.get(i);
            if (seen >= wanted) {
                return top(i);
            }
        }
        return 0;
    }
}
