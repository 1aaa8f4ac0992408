package dev.shardwright.local.workload;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One connection of the workload as an application would hold it: opened again when it was lost. Not thread-safe. */
final class ClientSession implements AutoCloseable {
    private static final Duration RECONNECT_FOR = Duration.ofSeconds(60);
    private static final int WARM_UP_STATEMENTS = 20;
    private static final long RECONNECT_PAUSE_MILLIS = 100;
    private static final int MOST_TRIES = 20;

    private final Address address;
    private final boolean prepared;
    private final ThreadStats stats;
    private final BooleanSupplier stopping;
    private @Nullable Connection connection;
    private boolean connectedOnce;

    /** A statement with its parameters, and how many rows it must find (-1: any number). */
    record Statement(String sql, int rows, Object... values) {}

    ClientSession(Address address, boolean prepared, ThreadStats stats, BooleanSupplier stopping) {
        this.address = address;
        this.prepared = prepared;
        this.stats = stats;
        this.stopping = stopping;
    }

    /** Runs one statement in autocommit mode. */
    Outcome autocommit(Statement statement) {
        boolean sent = false;
        try {
            var open = open();
            sent = true;
            return run(open, statement);
        } catch (SQLException e) {
            return failed(e, sent);
        }
    }

    /** Runs the statements as one transaction; errors that ask for a retry (1213, 40001) are answered by one. */
    Outcome transaction(List<Statement> statements) {
        for (int attempt = 1; ; attempt++) {
            var progress = new TransactionProgress();
            try {
                return transactionOnce(statements, progress);
            } catch (SQLException e) {
                endTransaction(e);
                if (!Outcome.isRetriable(e) || attempt == MOST_TRIES) {
                    return failed(e, progress.committing);
                }
                stats.retriedTransaction();
            }
        }
    }

    private static final class TransactionProgress {
        boolean committing;
    }

    private Outcome transactionOnce(List<Statement> statements, TransactionProgress progress) throws SQLException {
        var open = open();
        open.setAutoCommit(false);
        for (var statement : statements) {
            if (run(open, statement) instanceof Outcome.Failed wrong) {
                open.rollback();
                open.setAutoCommit(true);
                return wrong;
            }
        }
        progress.committing = true;
        open.commit();
        progress.committing = false;
        try {
            open.setAutoCommit(true);
        } catch (SQLException e) {
            drop();
        }
        return new Outcome.Acknowledged(statements.size());
    }

    private Outcome run(Connection open, Statement statement) throws SQLException {
        try (PreparedStatement call = open.prepareStatement(statement.sql())) {
            bind(call, statement.values());
            int rows = call.executeUpdate();
            return statement.rows() < 0 || rows == statement.rows()
                    ? new Outcome.Acknowledged(rows)
                    : new Outcome.Failed(Outcome.WRONG_COUNT, rows + " rows found instead of " + statement.rows());
        }
    }

    /** A write that never left this process did not happen; for one that did, the error decides. */
    private Outcome failed(SQLException e, boolean sent) {
        stats.error(e);
        if (Outcome.isLinkFailure(e)) {
            drop();
        }
        return sent ? Outcome.of(e) : new Outcome.Failed(e.getErrorCode(), Outcome.message(e));
    }

    private void endTransaction(SQLException why) {
        var open = connection;
        if (open == null || Outcome.isLinkFailure(why)) {
            drop();
            return;
        }
        try {
            open.rollback();
            open.setAutoCommit(true);
        } catch (SQLException e) {
            drop();
        }
    }

    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Reads all rows; a failed read is tried once more on a new connection if the link was lost, and counted as an error. */
    <T> List<T> query(RowReader<T> reader, String sql, Object... values) throws SQLException {
        try {
            return queryOnce(reader, sql, values);
        } catch (SQLException e) {
            stats.error(e);
            if (!Outcome.isLinkFailure(e)) {
                throw e;
            }
            drop();
            return queryOnce(reader, sql, values);
        }
    }

    private <T> List<T> queryOnce(RowReader<T> reader, String sql, Object... values) throws SQLException {
        try (PreparedStatement call = open().prepareStatement(sql)) {
            bind(call, values);
            try (ResultSet rows = call.executeQuery()) {
                var read = new ArrayList<T>();
                while (rows.next()) {
                    read.add(reader.read(rows));
                }
                return read;
            }
        }
    }

    private static void bind(PreparedStatement call, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            call.setObject(i + 1, values[i]);
        }
    }

    /** Logs in and warms the driver up, so that this process's own start is not taken for a stall of the router. */
    void connect() {
        try {
            for (int i = 0; i < WARM_UP_STATEMENTS; i++) {
                queryOnce(row -> row.getInt(1), "SELECT 1");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private Connection open() throws SQLException {
        long until = System.nanoTime() + RECONNECT_FOR.toNanos();
        while (connection == null) {
            try {
                connection = address.connect(prepared);
                if (connectedOnce) {
                    stats.reconnected();
                }
                connectedOnce = true;
            } catch (SQLException e) {
                if (!connectedOnce || stopping.getAsBoolean() || System.nanoTime() > until) {
                    throw e;
                }
                stats.error(e);
                pause();
            }
        }
        return connection;
    }

    private static void pause() {
        try {
            Thread.sleep(RECONNECT_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void drop() {
        var lost = connection;
        connection = null;
        if (lost != null) {
            try {
                lost.close();
            } catch (SQLException e) {
                // It was of no use any more, and the server ends it by itself.
            }
        }
    }

    @Override
    public void close() {
        drop();
    }
}
