package dev.shardwright.local.bench;

import dev.shardwright.local.workload.Address;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Inserts a row, waits a little, and so on, and remembers when each insert began and how long it took. */
final class InsertClient implements AutoCloseable {
    private static final long PAUSE_MILLIS = 5;
    private static final int MOST_INSERTS = 1 << 20;

    private final Address address;
    private final Thread thread;
    private final long[] beganMillis = new long[MOST_INSERTS];
    private final int[] tookMicros = new int[MOST_INSERTS];
    private volatile int inserts;
    private volatile @Nullable SQLException failure;
    private volatile boolean stopped;

    InsertClient(Address address) {
        this.address = address;
        this.thread = Thread.ofPlatform().daemon().name("inserts").start(this::run);
    }

    private void run() {
        try (var connection = address.connect(true);
                var statement = connection.prepareStatement("INSERT INTO rows_moved (id, body) VALUES (?, ?)")) {
            while (!stopped && inserts < MOST_INSERTS) {
                // Loaded rows have ids from 0 up.
                statement.setLong(1, ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
                statement.setString(2, "x".repeat(80));
                beganMillis[inserts] = System.currentTimeMillis();
                long began = System.nanoTime();
                statement.executeUpdate();
                tookMicros[inserts] = (int) ((System.nanoTime() - began) / 1_000);
                inserts++;
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (SQLException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Latencies of the inserts that began in this time, in microseconds; IllegalStateException if one has failed. */
    int[] between(long fromMillis, long toMillis) {
        var error = failure;
        if (error != null) {
            throw new IllegalStateException("an insert failed: " + error.getMessage(), error);
        }
        int until = inserts;
        int from = first(fromMillis, until);
        return Arrays.copyOfRange(tookMicros, from, first(toMillis, until));
    }

    private int first(long millis, int until) {
        int at = 0;
        while (at < until && beganMillis[at] < millis) {
            at++;
        }
        return at;
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
    }
}
