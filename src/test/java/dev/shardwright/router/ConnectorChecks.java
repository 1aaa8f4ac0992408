package dev.shardwright.router;

import com.mysql.cj.NativeSession;
import com.mysql.cj.jdbc.JdbcConnection;
import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What applications do with Connector/J, each writing down all that it is told. */
final class ConnectorChecks {
    private static final String TYPES =
            "b BOOLEAN, i1 TINYINT, u1 TINYINT UNSIGNED, i2 SMALLINT, i3 MEDIUMINT, i4 INT UNSIGNED,"
                    + " i8 BIGINT, u8 BIGINT UNSIGNED ZEROFILL, f4 FLOAT, f8 DOUBLE, d DECIMAL(20,5), bits BIT(12), da DATE, ti TIME(3),"
                    + " dt DATETIME(6), ts TIMESTAMP NULL, y YEAR, c CHAR(5), v VARCHAR(50), l VARCHAR(20) CHARACTER SET latin1,"
                    + " bi BINARY(4), vb VARBINARY(9), t TEXT, lt LONGTEXT, bl BLOB, e ENUM('x','y'), s SET('p','q'), j JSON,"
                    + " g GEOMETRY NULL, vec VECTOR(2), id BIGINT PRIMARY KEY AUTO_INCREMENT";
    private static final List<String> VALUES = List.of(
            "(1, -5, 200, -300, 8000, 4000000000, -9000000000000000000, 18000000000000000000, 1.5, 1e100, -12345.678,"
                    + " b'101', '2024-02-29', '-12:34:56.789', '2024-02-29 12:34:56.654321', '2024-02-29 12:34:56', 2024, 'ab',"
                    + " 'Grüße 😀', 'é', x'00ff', x'00', 'text', 'long', x'80', 'y', 'p,q', '{\"a\": [1, null]}',"
                    + " ST_GeomFromText('POINT(1 2)'), TO_VECTOR('[1,2]'), NULL)",
            "(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '1000-01-01', '00:00:00', '9999-12-31 23:59:59', '1970-01-02 00:00:00', 1901,"
                    + " '', '', '', '', '', '', REPEAT('x', 300), '', 1, '', 'null', NULL, NULL, NULL)",
            "(" + "NULL, ".repeat(30) + "NULL)");

    private ConnectorChecks() {}

    static void everyType(Connection connection, Told told) throws SQLException {
        table(connection, "everything", TYPES);
        told.update(connection, "INSERT INTO everything VALUES " + String.join(", ", VALUES));
        told.query(connection, "SELECT * FROM everything ORDER BY id");
        told.query(
                connection,
                "SELECT COUNT(*), SUM(d), AVG(i8), MAX(v), 1 + 1.5 AS \"sum\", NULL, NOW() > 0 FROM everything");
        try (var select = connection.prepareStatement("SELECT * FROM everything WHERE id = ? OR v = ?")) {
            told.parameters(select);
            select.setLong(1, 2);
            select.setString(2, "Grüße 😀");
            told.rows(select.executeQuery());
            select.setNull(1, Types.BIGINT);
            told.rows(select.executeQuery());
        }
    }

    static void valuesThatWereSet(Connection connection, Told told) throws SQLException {
        table(
                connection,
                "given",
                "id INT PRIMARY KEY, n DECIMAL(10,2), d DATE, t TIME(6), dt DATETIME(6), ts TIMESTAMP(6), s TEXT, b LONGBLOB");
        try (var insert = connection.prepareStatement("INSERT INTO given VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setBigDecimal(2, new BigDecimal("12.34"));
            insert.setObject(3, LocalDate.of(2024, 2, 29));
            insert.setObject(4, LocalTime.of(1, 2, 3, 4000));
            insert.setObject(5, LocalDateTime.of(2024, 2, 29, 1, 2, 3, 456_000));
            insert.setObject(6, OffsetDateTime.parse("2024-02-29T01:02:03.000456+03:00"));
            insert.setString(7, "it's \\ \"quoted\" 😀");
            insert.setBytes(8, new byte[] {0, 1, (byte) 0xff, '\''});
            told.note("inserted " + insert.executeUpdate());
            insert.setInt(1, 2);
            insert.setTimestamp(5, Timestamp.from(Instant.ofEpochSecond(1_700_000_000, 123_456_000)));
            insert.setTimestamp(6, null);
            insert.setBinaryStream(8, new java.io.ByteArrayInputStream(new byte[300_000]));
            told.note("inserted " + insert.executeUpdate());
        }
        told.query(connection, "SELECT * FROM given");
        told.query(connection, "SELECT MD5(b), LENGTH(b), HEX(s), UNIX_TIMESTAMP(ts), UNIX_TIMESTAMP(dt) FROM given");
    }

    static void batches(Connection connection, Told told) throws SQLException {
        table(connection, "batched", "id INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(5) UNIQUE");
        try (var insert =
                connection.prepareStatement("INSERT INTO batched (v) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
            for (var v : List.of("a", "b", "c", "d", "e")) {
                insert.setString(1, v);
                insert.addBatch();
            }
            told.note(Arrays.toString(insert.executeBatch()));
            told.rows(insert.getGeneratedKeys());
            for (var v : List.of("f", "a", "g", "much too long")) {
                insert.setString(1, v);
                insert.addBatch();
            }
            insert.executeBatch();
        } catch (BatchUpdateException e) {
            told.note(e.getErrorCode() + " " + e.getMessage() + " " + Arrays.toString(e.getUpdateCounts()));
        }
        try (var update = connection.prepareStatement("UPDATE batched SET v = ? WHERE id = ?")) {
            for (int id = 1; id < 8; id++) {
                update.setString(1, "u" + id);
                update.setInt(2, id);
                update.addBatch();
            }
            told.note(Arrays.toString(update.executeBatch()));
        }
        try (var mixed = connection.createStatement()) {
            for (var sql :
                    List.of("DELETE FROM batched WHERE id = 1", "INSERT INTO batched (v) VALUES ('m')", "SET @a = 1")) {
                mixed.addBatch(sql);
            }
            told.note(Arrays.toString(mixed.executeBatch()));
        }
        told.query(connection, "SELECT v FROM batched ORDER BY v");
    }

    static void generatedKeysAndCounts(Connection connection, Told told) throws SQLException {
        table(connection, "counted", "id BIGINT UNSIGNED PRIMARY KEY AUTO_INCREMENT, v INT");
        try (var statement = connection.createStatement()) {
            told.note("rows " + statement.executeUpdate("INSERT INTO counted (v) VALUES (1), (2), (3)", 1));
            told.rows(statement.getGeneratedKeys());
            told.note("rows " + statement.executeLargeUpdate("INSERT INTO counted VALUES (100, 4), (NULL, 5)", 1));
            told.rows(statement.getGeneratedKeys());
            told.note("found " + statement.executeUpdate("UPDATE counted SET v = v WHERE v > 1"));
            told.note("changed " + statement.executeUpdate("REPLACE INTO counted VALUES (100, 7)"));
            told.note("deleted " + statement.executeUpdate("DELETE FROM counted WHERE v = 5"));
        }
        told.query(connection, "SELECT LAST_INSERT_ID(), ROW_COUNT()");
        try (var scroll = connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                var rows = scroll.executeQuery("SELECT id, v FROM counted ORDER BY id")) {
            rows.last();
            rows.updateInt("v", 70);
            rows.updateRow();
            rows.moveToInsertRow();
            rows.updateInt("v", 80);
            rows.insertRow();
        }
        told.query(connection, "SELECT id, v FROM counted ORDER BY id");
    }

    static void warningsAndErrors(Connection connection, Told told) throws SQLException {
        table(connection, "strict", "id INT PRIMARY KEY, v VARCHAR(3) NOT NULL, CHECK (id < 100)");
        for (var sql : List.of(
                "SELECT 1/0, CAST('x' AS SIGNED)",
                "INSERT IGNORE INTO strict VALUES (1, 'long'), (2, NULL), (1, 'b')",
                "INSERT INTO strict VALUES (1, 'b')",
                "INSERT INTO strict VALUES (200, 'b')",
                "INSERT INTO strict VALUES (3, 'long')",
                "SELECT * FROM nothing",
                "SELEC 1",
                "DROP TABLE IF EXISTS nothing",
                "SELECT * FROM strict ORDER BY id")) {
            told.any(connection, sql);
        }
    }

    static void procedures(Connection connection, Told told) throws SQLException {
        told.update(connection, "DROP PROCEDURE IF EXISTS both_ways");
        told.update(
                connection,
                "CREATE PROCEDURE both_ways(IN a INT, INOUT b VARCHAR(20), OUT c DECIMAL(5,2)) BEGIN"
                        + " SELECT a AS first; SELECT b, a UNION SELECT 'x', 2; SET b = CONCAT(b, '!'), c = a / 3;"
                        + " UPDATE mysql_nothing SET x = 1; END");
        told.update(connection, "DROP PROCEDURE both_ways");
        told.update(
                connection,
                "CREATE PROCEDURE both_ways(IN a INT, INOUT b VARCHAR(20), OUT c DECIMAL(5,2)) BEGIN"
                        + " SELECT a AS first; SELECT b, a UNION SELECT 'x', 2; SET b = CONCAT(b, '!'), c = a / 3; END");
        try (var call = connection.prepareCall("{CALL both_ways(?, ?, ?)}")) {
            call.setInt(1, 10);
            call.setString(2, "yes");
            call.registerOutParameter(2, Types.VARCHAR);
            call.registerOutParameter(3, Types.DECIMAL);
            told.results(call, call.execute());
            told.note(call.getString(2) + " " + call.getBigDecimal(3));
        }
        told.any(connection, "CALL both_ways(1, 'no variable', @c)");
    }

    static void streaming(Connection connection, Told told) throws SQLException {
        var numbers =
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i, REPEAT('x', 500) FROM n";
        try (var statement = connection.createStatement()) {
            statement.setFetchSize(Integer.MIN_VALUE);
            try (var rows = statement.executeQuery(numbers)) {
                long sum = 0;
                while (rows.next()) {
                    sum += rows.getInt(1) + rows.getString(2).length();
                }
                told.note("sum " + sum);
            }
            try (var rows = statement.executeQuery(numbers)) {
                rows.next();
                told.note("first " + rows.getInt(1));
            }
        }
        told.query(connection, "SELECT 'after a result that was not read to its end'");
    }

    static void transactions(Connection connection, Told told) throws SQLException {
        table(connection, "moved", "id INT PRIMARY KEY");
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        connection.setAutoCommit(false);
        told.update(connection, "INSERT INTO moved VALUES (1)");
        var savepoint = connection.setSavepoint("here");
        told.update(connection, "INSERT INTO moved VALUES (2)");
        connection.rollback(savepoint);
        connection.commit();
        told.update(connection, "INSERT INTO moved VALUES (3)");
        connection.rollback();
        told.status(connection, "START TRANSACTION READ ONLY", "DO 1", "SELECT * FROM moved", "COMMIT");
        told.status(connection, "START TRANSACTION", "DO 1", "SELECT * FROM moved", "ROLLBACK", "DO 1");
        told.query(connection, "SELECT @@transaction_isolation, @@autocommit, (SELECT GROUP_CONCAT(id) FROM moved)");
        connection.rollback();
        connection.setReadOnly(true);
        told.any(connection, "INSERT INTO moved VALUES (4)");
        connection.rollback();
        connection.setReadOnly(false);
        connection.setAutoCommit(true);
        told.note(connection.getTransactionIsolation() + " " + connection.isReadOnly() + " " + connection.isValid(5));
    }

    static void metadata(Connection connection, Told told) throws SQLException {
        table(connection, "everything", TYPES + ", UNIQUE some_name (v, i4 DESC)");
        var data = connection.getMetaData();
        var catalog = connection.getCatalog();
        // What is behind the server's own version says that a router is between.
        told.note(data.getDatabaseProductVersion().replace("-Shardwright", "") + " " + data.getUserName());
        told.rows(data.getColumns(catalog, null, "everything", "%"));
        told.rows(data.getPrimaryKeys(catalog, null, "everything"));
        told.rows(data.getIndexInfo(catalog, null, "everything", false, false));
        told.rows(data.getBestRowIdentifier(catalog, null, "everything", 1, true));
        told.rows(data.getTables(catalog, null, "every%", new String[] {"TABLE"}));
        told.rows(data.getCatalogs());
        told.rows(data.getTableTypes());
        told.rows(data.getTypeInfo());
        told.rows(data.getImportedKeys(catalog, null, "everything"));
        told.rows(data.getProcedureColumns(catalog, null, "%", "%"));
        told.rows(data.getTablePrivileges(catalog, null, "everything"));
        told.note(
                data.getMaxColumnNameLength() + " " + data.supportsMultipleResultSets() + " " + data.getSQLKeywords());
    }

    private static void table(Connection connection, String name, String columns) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + name);
            statement.execute("CREATE TABLE " + name + " (" + columns + ")");
        }
    }

    /** What a connection has told, in order. */
    static final class Told {
        private final List<String> notes = new ArrayList<>();

        List<String> notes() {
            return notes;
        }

        void note(String text) {
            notes.add(text);
        }

        void update(Connection connection, String sql) throws SQLException {
            try (var statement = connection.createStatement()) {
                note(sql + ": " + statement.executeUpdate(sql));
            }
        }

        /** What each answer says of the transaction. */
        void status(Connection connection, String... statements) throws SQLException {
            for (var sql : statements) {
                try (var statement = connection.createStatement()) {
                    statement.execute(sql);
                }
                var state =
                        ((NativeSession) connection.unwrap(JdbcConnection.class).getSession()).getServerSession();
                note(sql + ": status " + (state.getStatusFlags() & 0x2003));
            }
        }

        void query(Connection connection, String sql) throws SQLException {
            try (var statement = connection.createStatement()) {
                rows(statement.executeQuery(sql));
            }
        }

        /** A statement that may answer anything, also an error. */
        void any(Connection connection, String sql) {
            note(sql);
            try (var statement = connection.createStatement()) {
                results(statement, statement.execute(sql));
                for (var warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
                    note("warning " + warning.getErrorCode() + " " + warning.getMessage());
                }
            } catch (SQLException e) {
                note(e.getClass().getSimpleName() + " " + e.getErrorCode() + " " + e.getSQLState() + " "
                        + e.getMessage());
            }
        }

        void results(Statement statement, boolean first) throws SQLException {
            for (boolean isRows = first;
                    isRows || statement.getUpdateCount() != -1;
                    isRows = statement.getMoreResults()) {
                if (isRows) {
                    rows(statement.getResultSet());
                } else {
                    note("count " + statement.getUpdateCount());
                }
            }
        }

        void parameters(PreparedStatement statement) throws SQLException {
            note("parameters " + statement.getParameterMetaData().getParameterCount());
            columns(statement.getMetaData());
        }

        void rows(ResultSet rows) throws SQLException {
            try (rows) {
                var columns = rows.getMetaData();
                columns(columns);
                while (rows.next()) {
                    for (int i = 1; i <= columns.getColumnCount(); i++) {
                        note(columns.getColumnLabel(i) + " = " + value(rows.getObject(i)) + " = " + rows.getString(i));
                    }
                }
            }
        }

        private static String value(Object value) {
            return value instanceof byte[] bytes
                    ? Arrays.toString(bytes)
                    : value == null ? "NULL" : value.getClass().getSimpleName() + " " + value;
        }

        private void columns(java.sql.ResultSetMetaData columns) throws SQLException {
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                note(String.join(
                        " ",
                        columns.getCatalogName(i) + "." + columns.getTableName(i) + "." + columns.getColumnName(i),
                        columns.getColumnLabel(i),
                        columns.getColumnTypeName(i) + "=" + columns.getColumnType(i),
                        columns.getColumnClassName(i),
                        "(" + columns.getPrecision(i) + "," + columns.getScale(i) + ")",
                        "width " + columns.getColumnDisplaySize(i),
                        "null " + columns.isNullable(i),
                        columns.isSigned(i) ? "signed" : "",
                        columns.isAutoIncrement(i) ? "auto" : "",
                        columns.isCaseSensitive(i) ? "case" : "",
                        columns.isCurrency(i) ? "currency" : ""));
            }
        }
    }
}
