package dev.shardwright.topology.vindex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.VSchema.ShardKeyColumn;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.testing.TestServers;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What we say of storing and comparing, held against what MySQL does with the same literals. */
class ShardKeyTypeIT {
    @TempDir
    static Path directory;

    private static LocalMysqld server;
    private static Connection app;

    /** A literal: its SQL, and our two answers about it. */
    private record Literal(
            String sql, Function<ShardKeyType, Conversion> stored, Function<ShardKeyType, Comparison> equalTo) {}

    @BeforeAll
    static void start() throws SQLException {
        server = TestServers.start(directory, "u1", "-");
        app = server.connect(TestServers.APP);
    }

    @AfterAll
    static void stop() throws SQLException {
        app.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "tinyint,",
        "tinyint unsigned,",
        "int,",
        "int unsigned,",
        "bigint,",
        "bigint unsigned,",
        "binary(4),",
        "varbinary(4),",
        "char(4),utf8mb4_0900_bin",
        "varchar(4),utf8mb4_0900_bin"
    })
    void agreesWithMysql(String type, @Nullable String collation) throws SQLException {
        var column = ShardKeyType.of(new ShardKeyColumn("k", type, collation));
        try (var statement = app.createStatement()) {
            for (var mode : List.of("STRICT_TRANS_TABLES", "")) {
                statement.execute("SET SESSION sql_mode = '" + mode + "'");
                statement.execute("DROP TABLE IF EXISTS chat.t");
                statement.execute("CREATE TABLE chat.t (id INT AUTO_INCREMENT PRIMARY KEY, k " + type
                        + (collation == null ? "" : " COLLATE " + collation) + ")");
                for (var literal : literals()) {
                    checkStored(statement, column, literal);
                }
                // The table now holds all that any literal became, bent ones too.
                for (var literal : literals()) {
                    checkCompared(statement, column, literal);
                }
            }
        }
    }

    private static void checkStored(Statement statement, ShardKeyType column, Literal literal) throws SQLException {
        var answer = literal.stored.apply(column);
        try {
            statement.execute("INSERT INTO chat.t (k) VALUES (" + literal.sql + ")");
        } catch (SQLException refused) {
            assertThat(answer)
                    .as("%s into %s is refused: %s", literal.sql, column.columnType(), refused.getMessage())
                    .isInstanceOf(Conversion.WouldBend.class);
            return;
        }
        if (answer instanceof Conversion.Stored(ShardKeyValue value)) {
            assertThat(values(statement, "id = LAST_INSERT_ID()"))
                    .as("%s into %s", literal.sql, column.columnType())
                    .containsExactly(hex(value.bytes()));
        }
    }

    private static void checkCompared(Statement statement, ShardKeyType column, Literal literal) throws SQLException {
        var answer = literal.equalTo.apply(column);
        List<String> matches;
        try {
            matches = values(statement, "k = " + literal.sql);
        } catch (SQLException refused) {
            assertThat(answer)
                    .as("%s = %s is refused: %s", column.columnType(), literal.sql, refused.getMessage())
                    .isInstanceOf(Comparison.Unknown.class);
            return;
        }
        switch (answer) {
            case Comparison.Only(ShardKeyValue value) ->
                assertThat(matches)
                        .as("%s = %s", column.columnType(), literal.sql)
                        .allMatch(hex(value.bytes())::equals);
            case Comparison.Nothing() ->
                assertThat(matches)
                        .as("%s = %s", column.columnType(), literal.sql)
                        .isEmpty();
            case Comparison.Unknown unknown -> {}
        }
    }

    private static List<String> values(Statement statement, String where) throws SQLException {
        var values = new ArrayList<String>();
        try (var rows = statement.executeQuery("SELECT HEX(CAST(k AS BINARY)) FROM chat.t WHERE " + where)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    private static List<Literal> literals() {
        var literals = new ArrayList<Literal>();
        for (var number : List.of(
                "0",
                "1",
                "5",
                "-5",
                "127",
                "128",
                "-128",
                "-129",
                "255",
                "256",
                "2147483647",
                "2147483648",
                "-2147483649",
                "4294967295",
                "4294967296",
                "9007199254740992",
                "9007199254740993",
                "9223372036854775807",
                "-9223372036854775808",
                "9223372036854775808",
                "18446744073709551615",
                "18446744073709551616")) {
            var value = new BigInteger(number);
            literals.add(new Literal(number, column -> column.stored(value), column -> column.equalTo(value)));
        }
        for (var text : List.of(
                "",
                " ",
                "0",
                "-0",
                "1",
                "5",
                "05",
                "+5",
                "5abc",
                "5.0",
                "5.4",
                "5e0",
                " 5",
                "5 ",
                "127",
                "128",
                "300",
                "9007199254740992",
                "9007199254740993",
                "9007199254740994",
                "9223372036854775807",
                "18446744073709551615",
                "a",
                "A",
                "a ",
                "a  ",
                "á",
                "é😀",
                "abcd",
                "abcde",
                "abcd ",
                "ééééé",
                "\u0000",
                "a\u0000",
                "ab\u0000\u0000")) {
            literals.add(text("_utf8mb4", text.getBytes(StandardCharsets.UTF_8), "utf8mb4"));
            literals.add(text("_binary", text.getBytes(StandardCharsets.UTF_8), "binary"));
            if (text.chars().allMatch(c -> c < 256)) {
                literals.add(text("_latin1", text.getBytes(StandardCharsets.ISO_8859_1), "latin1"));
            }
        }
        literals.add(text("_binary", new byte[] {(byte) 0xff, (byte) 0xfe}, "binary"));
        return literals;
    }

    private static Literal text(String introducer, byte[] bytes, String charset) {
        return new Literal(
                introducer + (isAscii(bytes) ? quoted(bytes) : " X'" + hex(bytes) + "'"),
                column -> column.stored(bytes, charset),
                column -> column.equalTo(bytes, charset));
    }

    private static boolean isAscii(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).chars().allMatch(c -> c < 128);
    }

    private static String quoted(byte[] bytes) {
        return "'" + new String(bytes, StandardCharsets.US_ASCII).replace("\u0000", "\\0") + "'";
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().withUpperCase().formatHex(bytes);
    }
}
