package dev.shardwright.reshard.mover;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/** Changes rows of the fixture's tables as an application would, until it is closed. */
final class MoveWriter implements AutoCloseable {
    static final String[] TABLES = {
        "CREATE TABLE numbers (id BIGINT PRIMARY KEY, v INT, body VARCHAR(200))",
        "CREATE TABLE names (tenant BIGINT, name VARCHAR(30) COLLATE utf8mb4_0900_ai_ci, v INT, PRIMARY KEY (tenant, name))",
        "CREATE TABLE texts (name VARCHAR(40) COLLATE utf8mb4_0900_bin PRIMARY KEY, v INT)",
        "CREATE TABLE pairs (a INT, b DATE, c CHAR(8) CHARACTER SET latin1 COLLATE latin1_swedish_ci, d ENUM('z', 'y', 'x'), v INT,"
                + " PRIMARY KEY (c, a, b, d))",
        "CREATE TABLE unlisted (code VARBINARY(12) PRIMARY KEY, v INT)",
        "CREATE TABLE bags (id BIGINT, word VARCHAR(30) COLLATE utf8mb4_0900_ai_ci, f FLOAT, j JSON, v INT)",
    };
    static final String[] NAMES = {"numbers", "names", "texts", "pairs", "unlisted", "bags"};
    private static final List<String> WORDS =
            List.of("a", "B", "c", "É", "z", "Ö", "zz", "ab", "Ab ", "a b", "ß", "日本", "😀", "\\t", "a\tb", "");
    private static final int KEYS = 3000;

    private final Connection connection;
    private final Random random;
    private final Thread thread;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private volatile boolean stopped;

    MoveWriter(Connection connection, long seed) {
        this.connection = connection;
        this.random = new Random(seed);
        this.thread = Thread.ofPlatform().daemon().name("writer-" + seed).start(this::run);
    }

    /** Rows to begin with. */
    static void fill(Connection connection, int rows) throws SQLException {
        var random = new Random(7);
        connection.setAutoCommit(false);
        for (int i = 0; i < rows; i++) {
            write(connection, random, true);
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void run() {
        try {
            connection.setAutoCommit(false);
            while (!stopped) {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    write(connection, random, false);
                }
                if (random.nextInt(10) == 0) {
                    connection.rollback();
                } else {
                    connection.commit();
                }
                Thread.sleep(random.nextInt(3));
            }
        } catch (SQLException e) {
            if (e.getErrorCode() == 1213 || e.getErrorCode() == 1205) {
                run();
            } else {
                failure.set(e);
            }
        } catch (InterruptedException e) {
            failure.set(e);
        }
    }

    private static void write(Connection connection, Random random, boolean insertOnly) throws SQLException {
        var kind = insertOnly ? 0 : random.nextInt(4);
        var table = random.nextInt(11);
        var v = random.nextInt(1_000_000);
        var id = (long) (random.nextInt(KEYS) - KEYS / 2) * 1_000_003L;
        var word = WORDS.get(random.nextInt(WORDS.size()));
        switch (table) {
            case 0 ->
                change(
                        connection,
                        kind,
                        "names",
                        new String[] {"tenant", "name"},
                        v,
                        id % 50,
                        word + random.nextInt(30));
            case 1 -> change(connection, kind, "texts", new String[] {"name"}, v, word + random.nextInt(300));
            case 2 ->
                change(
                        connection,
                        kind,
                        "pairs",
                        new String[] {"a", "b", "c", "d"},
                        v,
                        random.nextInt(20),
                        "2024-01-" + (1 + random.nextInt(20)),
                        List.of("a", "A", "b", "é", "E", "zz").get(random.nextInt(6)),
                        List.of("x", "y", "z").get(random.nextInt(3)));
            case 3 ->
                change(
                        connection,
                        kind,
                        "unlisted",
                        new String[] {"code"},
                        v,
                        (word + random.nextInt(100)).getBytes(java.nio.charset.StandardCharsets.UTF_8).length > 12
                                ? "k"
                                : word + random.nextInt(100));
            case 4 -> bag(connection, random, kind, word);
            default -> change(connection, kind, "numbers", new String[] {"id"}, v, id);
        }
    }

    /** Rows of a table without a key, many of them equal, or equal but for what a collation overlooks. */
    private static void bag(Connection connection, Random random, int kind, String word) throws SQLException {
        var id = (long) random.nextInt(60);
        var texts = Arrays.asList(word, word.toUpperCase(Locale.ROOT), word + " ", null);
        switch (kind) {
            case 0, 1 ->
                execute(
                        connection,
                        "INSERT INTO bags VALUES (?, ?, "
                                + List.of("0e0", "-0e0", "0.1", "NULL").get(random.nextInt(4))
                                + ", "
                                + List.of("NULL", "'[1, 0.1]'", "JSON_ARRAY(1.5, X'00')")
                                        .get(random.nextInt(3))
                                + ", " + random.nextInt(2) + ")",
                        id,
                        texts.get(random.nextInt(4)));
            case 2 ->
                execute(
                        connection,
                        "UPDATE bags SET "
                                + List.of("v = v + 1", "id = id + 1", "word = LOWER(word)", "f = -f")
                                        .get(random.nextInt(4))
                                + " WHERE id = ? ORDER BY RAND() LIMIT " + (1 + random.nextInt(3)),
                        id);
            default -> execute(connection, "DELETE FROM bags WHERE id = ? ORDER BY RAND() LIMIT 2", id);
        }
    }

    private static void change(Connection connection, int kind, String table, String[] columns, int v, Object... key)
            throws SQLException {
        var where = String.join(" = ? AND ", columns) + " = ?";
        switch (kind) {
            case 0, 1 ->
                execute(
                        connection,
                        "INSERT INTO " + table + " (v, " + String.join(", ", columns) + ") VALUES (" + v + ", ?"
                                + ", ?".repeat(columns.length - 1) + ") ON DUPLICATE KEY UPDATE v = v + 1",
                        key);
            case 2 -> execute(connection, "UPDATE " + table + " SET v = " + v + " WHERE " + where, key);
            default -> execute(connection, "DELETE FROM " + table + " WHERE " + where, key);
        }
    }

    private static void execute(Connection connection, String sql, Object... parameters) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            statement.executeUpdate();
        }
    }

    /** Stops it; throws what it has failed with. */
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
            throw new AssertionError("a writer failed", failure.get());
        }
    }
}
