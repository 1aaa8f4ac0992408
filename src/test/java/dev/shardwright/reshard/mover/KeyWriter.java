package dev.shardwright.reshard.mover;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/** Inserts, updates, renames and deletes rows of the {@link KeyKind} tables, over and over, until it is closed. */
final class KeyWriter implements AutoCloseable {
    private final Connection connection;
    private final Random random = new Random(3);
    private final Thread thread;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private volatile boolean stopped;

    KeyWriter(Connection connection) throws SQLException {
        this.connection = connection;
        prepare(connection);
        this.thread = Thread.ofPlatform().daemon().name("key-writer").start(this::run);
    }

    private static void prepare(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(
                    "SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', time_zone = '+00:00'");
        }
    }

    /** All keys of all tables. */
    static void fill(Connection connection) throws SQLException {
        prepare(connection);
        for (var kind : KeyKind.values()) {
            for (var key : kind.keys) {
                try (var statement = connection.createStatement()) {
                    statement.execute(insert(kind, key, 0));
                }
            }
        }
    }

    private static String insert(KeyKind kind, String key, int v) {
        return "INSERT IGNORE INTO " + kind.table() + " (v, " + kind.keyColumns + ") VALUES (" + v + ", " + key + ")";
    }

    private void run() {
        try {
            while (!stopped) {
                for (var kind : KeyKind.values()) {
                    change(kind);
                }
            }
        } catch (SQLException e) {
            failure.set(e);
        }
    }

    private void change(KeyKind kind) throws SQLException {
        var key = kind.keys.get(random.nextInt(kind.keys.size()));
        var other = kind.keys.get(random.nextInt(kind.keys.size()));
        var v = random.nextInt();
        var row = "(" + kind.keyColumns + ") = (" + key + ")";
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(
                    switch (random.nextInt(6)) {
                        case 0 -> "DELETE FROM " + kind.table() + " WHERE " + row;
                        case 1, 2 -> insert(kind, key, v);
                        case 3 -> "UPDATE IGNORE " + kind.table() + " SET " + assigned(kind, other) + " WHERE " + row;
                        default -> "UPDATE " + kind.table() + " SET v = " + v + " WHERE " + row;
                    });
        }
    }

    private static String assigned(KeyKind kind, String key) {
        var columns = kind.keyColumns.split(", ");
        var values = key.split(", ");
        var text = columns[0] + " = " + values[0];
        return columns.length == 1 ? text : text + ", " + columns[1] + " = " + values[1];
    }

    @Override
    public void close() throws SQLException {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connection.close();
        if (failure.get() != null) {
            throw new AssertionError("the writer failed", failure.get());
        }
    }
}
