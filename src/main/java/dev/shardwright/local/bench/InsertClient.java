package dev.shardwright.local.bench;

import dev.shardwright.local.bench.Contender.Span;
import dev.shardwright.local.workload.Address;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Inserts a row, waits a little, and so on, and remembers when each insert began and how long it took. One that meets an error
 * is followed by another row on a new connection, until one is done or {@link #MOST_TRIES} have failed; it took all of that time.
 */
final class InsertClient implements AutoCloseable {
    private static final long PAUSE_MILLIS = 5;
    private static final int MOST_INSERTS = 1 << 20;
    private static final int MOST_TRIES = 100;

    private final Address address;
    private final Thread thread;
    private final long[] beganMillis = new long[MOST_INSERTS];
    private final int[] tookMicros = new int[MOST_INSERTS];
    private final int[] errorsIn = new int[MOST_INSERTS];
    private volatile int inserts;
    private volatile @Nullable SQLException failure;
    private volatile boolean stopped;

    /** Inserts that began in some time. */
    record Inserts(int[] micros, int errors) {}

    InsertClient(Address address) {
        this.address = address;
        this.thread = Thread.ofPlatform().daemon().name("inserts").start(this::run);
    }

    private void run() {
        try {
            var session = new Session(address);
            while (!stopped && inserts < MOST_INSERTS) {
                beganMillis[inserts] = System.currentTimeMillis();
                long began = System.nanoTime();
                int errors = 0;
                while (!session.insert()) {
                    errors++;
                    if (errors == MOST_TRIES) {
                        throw session.lastError();
                    }
                    Thread.sleep(PAUSE_MILLIS);
                }
                tookMicros[inserts] = (int) ((System.nanoTime() - began) / 1_000);
                errorsIn[inserts] = errors;
                inserts++;
                Thread.sleep(PAUSE_MILLIS);
            }
            session.close();
        } catch (SQLException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A connection that is opened anew after an error. */
    private static final class Session implements AutoCloseable {
        private final Address address;
        private Connection connection;
        private PreparedStatement statement;
        private SQLException lastError = new SQLException("no error");

        Session(Address address) throws SQLException {
            this.address = address;
            connection = address.connect(true);
            statement = prepare(connection);
        }

        private static PreparedStatement prepare(Connection connection) throws SQLException {
            return connection.prepareStatement("INSERT INTO rows_moved (id, body) VALUES (?, ?)");
        }

        boolean insert() {
            try {
                if (connection.isClosed()) {
                    connection = address.connect(true);
                    statement = prepare(connection);
                }
                // Loaded rows have ids from 0 up.
                statement.setLong(1, ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE);
                statement.setString(2, "x".repeat(80));
                statement.executeUpdate();
                return true;
            } catch (SQLException e) {
                lastError = e;
                close();
                return false;
            }
        }

        SQLException lastError() {
            return lastError;
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                lastError = e;
            }
        }
    }

    /** What began in this time; IllegalStateException if the client has given up. */
    Inserts during(Span span) {
        var error = failure;
        if (error != null) {
            throw new IllegalStateException("an insert failed: " + error.getMessage(), error);
        }
        int until = inserts;
        int from = first(span.fromMillis(), until);
        int to = first(span.toMillis(), until);
        return new Inserts(
                Arrays.copyOfRange(tookMicros, from, to),
                Arrays.stream(errorsIn, from, to).sum());
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
