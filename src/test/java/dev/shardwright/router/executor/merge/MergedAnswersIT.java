package dev.shardwright.router.executor.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.router.planner.Route;
import dev.shardwright.router.planner.SqlValue;
import dev.shardwright.router.planner.TestPlans;
import dev.shardwright.testing.TestServers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What four shards answer, merged, is byte for byte what one MySQL with all their rows answers. */
class MergedAnswersIT {
    private static final String COLUMNS = """
            (channel_id BIGINT NOT NULL, id BIGINT NOT NULL, u BIGINT UNSIGNED, n INT, tiny TINYINT,
             body VARCHAR(40) COLLATE utf8mb4_0900_ai_ci, padded VARCHAR(40) COLLATE utf8mb4_general_ci,
             bin VARBINARY(10), fixed CHAR(5) COLLATE utf8mb4_0900_as_cs, price DECIMAL(20,4), ratio DOUBLE, f FLOAT,
             at DATETIME(3), ts TIMESTAMP NULL, tm TIME(2), d DATE, y YEAR, kind ENUM('z','m','a'), flags SET('x','b'),
             bits BIT(9), j JSON, swedish VARCHAR(20) COLLATE utf8mb4_swedish_ci, note TEXT,
             PRIMARY KEY (id, channel_id))""";

    private static final TestPlans PLANS = TestPlans.fourShards();

    @TempDir
    private static Path directory;

    private static LocalMysqld server;
    private static Connection connection;

    @BeforeAll
    static void fill() throws SQLException {
        server = TestServers.start(directory, "u1", "-");
        try (var admin = server.connect(TestServers.OPERATOR)) {
            for (var i = 0; i < 4; i++) {
                run(admin, "CREATE TABLE chat.messages_s" + i + COLUMNS);
            }
            run(admin, "CREATE TABLE chat.messages_whole" + COLUMNS);
            var random = new Random(7);
            var rows = new ArrayList<List<String>>();
            for (var i = 0; i < 5; i++) {
                rows.add(new ArrayList<>());
            }
            for (var id = 1; id <= 400; id++) {
                var channel = random.nextInt(60);
                var values = "(" + channel + ", " + id + ", " + values(random) + ")";
                rows.get(PLANS.shardOfChannel(channel)).add(values);
                rows.get(4).add(values);
            }
            for (var i = 0; i < 5; i++) {
                var table = i == 4 ? "messages_whole" : "messages_s" + i;
                run(admin, "INSERT INTO chat." + table + " VALUES " + String.join(", ", rows.get(i)));
            }
        }
        connection = connect();
    }

    private static String values(Random random) {
        var words = List.of(
                "'a'", "'A'", "'ä'", "'Z'", "'b '", "'b'", "'B\\t'", "'b\\t'", "'zz'", "'É'", "''", "'e'", "NULL",
                "'😀'");
        return String.join(
                ", ",
                maybe(random, Long.toUnsignedString(random.nextLong())),
                maybe(random, "" + (random.nextInt(200) - 100)),
                maybe(random, "" + (random.nextInt(256) - 128)),
                word(random, words),
                word(random, words),
                maybe(random, "x'" + Integer.toHexString(random.nextInt(0x100, 0x1000)) + "0'"),
                word(random, words),
                maybe(random, (random.nextInt(2000) - 1000) + "." + random.nextInt(10000)),
                maybe(random, "" + random.nextGaussian() * 1e10),
                maybe(random, "" + (random.nextInt(100) / 4.0)),
                maybe(random, "'2020-01-0" + (1 + random.nextInt(9)) + " 03:04:05." + random.nextInt(1000) + "'"),
                maybe(random, "'2021-01-0" + (1 + random.nextInt(9)) + " 00:00:00'"),
                maybe(random, "'" + (random.nextBoolean() ? "-" : "") + random.nextInt(838) + ":10:20.5'"),
                maybe(random, "'19" + (10 + random.nextInt(90)) + "-05-06'"),
                maybe(random, "" + (1990 + random.nextInt(40))),
                maybe(random, "" + (1 + random.nextInt(3))),
                maybe(random, "" + random.nextInt(4)),
                maybe(random, "" + random.nextInt(512)),
                "'{\"a\": 1}'",
                word(random, words),
                word(random, words));
    }

    private static String word(Random random, List<String> words) {
        return words.get(random.nextInt(words.size()));
    }

    private static String maybe(Random random, String value) {
        return random.nextInt(8) == 0 ? "NULL" : value;
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
        server.close();
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://" + server.host() + ":" + server.port()
                        + "/chat?sslMode=DISABLED&allowPublicKeyRetrieval=true&useServerPrepStmts=true&socketFactory="
                        + RecordingSocketFactory.class.getName(),
                TestServers.OPERATOR.user(),
                TestServers.OPERATOR.password());
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM messages ORDER BY id",
                "SELECT id, body FROM messages ORDER BY body, id LIMIT 100",
                "SELECT id, body FROM messages ORDER BY body DESC, id DESC LIMIT 30 OFFSET 50",
                "SELECT id FROM messages ORDER BY padded, id",
                "SELECT id FROM messages ORDER BY padded DESC, id LIMIT 77, 200",
                "SELECT id FROM messages ORDER BY fixed, id",
                "SELECT id FROM messages ORDER BY body COLLATE utf8mb4_bin, id",
                "SELECT id FROM messages ORDER BY body COLLATE utf8mb4_0900_bin, id",
                "SELECT id FROM messages ORDER BY note, id",
                "SELECT id, bin FROM messages ORDER BY bin, id",
                "SELECT id, u FROM messages ORDER BY u, id",
                "SELECT id, u FROM messages ORDER BY u DESC, id LIMIT 10",
                "SELECT id, n FROM messages ORDER BY n DESC, tiny, id",
                "SELECT id, price FROM messages ORDER BY price, id",
                "SELECT id, ratio FROM messages ORDER BY ratio DESC, id",
                "SELECT id, at FROM messages ORDER BY at, id",
                "SELECT id FROM messages ORDER BY ts DESC, id",
                "SELECT id, tm FROM messages ORDER BY tm, id",
                "SELECT id FROM messages ORDER BY d, id",
                "SELECT id FROM messages ORDER BY y, id",
                "SELECT id, kind FROM messages ORDER BY kind, id",
                "SELECT id, flags FROM messages ORDER BY flags DESC, id",
                "SELECT id FROM messages ORDER BY bits, id",
                "SELECT id FROM messages ORDER BY n IS NULL, ABS(n), id",
                "SELECT id, UPPER(body) b FROM messages ORDER BY b, id",
                "SELECT id, CONCAT(body, n) FROM messages ORDER BY 2, 1",
                "SELECT id x, n FROM messages WHERE n > 0 ORDER BY x DESC LIMIT 5",
                "SELECT channel_id, id FROM messages WHERE channel_id IN (1, 2, 3, 4, 5) ORDER BY channel_id DESC, id",
                "SELECT id FROM messages WHERE id < 0 ORDER BY id",
                "SELECT id FROM messages ORDER BY id LIMIT 0",
                "SELECT id FROM messages ORDER BY id LIMIT 390, 18446744073709551615",
                "SELECT COUNT(*) FROM messages",
                "SELECT COUNT(*), COUNT(n), COUNT(DISTINCT_COLUMN) FROM messages",
                "SELECT SUM(n), SUM(price), SUM(u), SUM(tiny) FROM messages",
                "SELECT MIN(id), MAX(id), MIN(u), MAX(u), MIN(n), MAX(tiny) FROM messages",
                "SELECT MAX(price), MIN(price), MIN(at), MAX(at), MIN(tm), MAX(tm), MIN(d), MAX(ts), MAX(y) FROM messages",
                "SELECT MIN(bin), MAX(bin), MIN(ratio), MAX(ratio), MIN(f), MAX(f) FROM messages",
                "SELECT MIN(kind), MAX(kind), MIN(flags), MAX(flags) FROM messages",
                "SELECT MAX(UPPER(fixed)), MIN(CONCAT(LPAD(id, 4, '0'), body)) FROM messages",
                "SELECT COUNT(*), SUM(n), MIN(n), MAX(body) FROM messages WHERE id < 0",
                "SELECT COUNT(*) FROM messages LIMIT 0",
                "SELECT COUNT(*) c FROM messages WHERE channel_id IN (1, 2, 3, 4, 5, 6)"
            })
    void sortedAndFoldedAnswersAreEqual(String sql) throws SQLException {
        for (var binary : List.of(false, true)) {
            var one = executed(sql.replace("DISTINCT_COLUMN", "bits"), binary);
            var merged = merged(sql.replace("DISTINCT_COLUMN", "bits"), binary);
            if (merged == null) {
                assertThat(sql).contains("= 'a'");
                continue;
            }
            assertThat(merged.rows).as(binary ? "prepared" : "text").isEqualTo(one.rows);
            assertThat(merged.columns).isEqualTo(one.columns);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM messages",
                "SELECT id, body FROM messages WHERE n > 10",
                "SELECT id FROM messages WHERE channel_id IN (1, 2, 3, 4)",
                "SELECT a.id, b.id FROM messages a JOIN messages b ON a.channel_id = b.channel_id AND a.id < b.id",
                "SELECT a.id, b.id FROM messages a LEFT JOIN messages b ON b.channel_id = a.channel_id AND b.id = a.id + 1",
                "SELECT id FROM messages a WHERE EXISTS (SELECT 1 FROM messages b WHERE b.channel_id = a.channel_id AND b.id > a.id)",
                "SELECT id, (SELECT COUNT(*) FROM messages b WHERE b.channel_id = a.channel_id) c FROM messages a"
            })
    void unsortedAnswersHaveTheSameRows(String sql) throws SQLException {
        for (var binary : List.of(false, true)) {
            var merged = merged(sql, binary);
            assertThat(merged).isNotNull();
            if (merged != null) {
                assertThat(merged.rows).containsExactlyInAnyOrderElementsOf(executed(sql, binary).rows);
            }
        }
    }

    @Test
    void anUnsortedLimitTakesThatManyRows() throws SQLException {
        var some = merged("SELECT id FROM messages LIMIT 17", false);
        var later = merged("SELECT id FROM messages LIMIT 390, 100", false);
        assertThat(some == null ? 0 : some.rows.size()).isEqualTo(17);
        assertThat(later == null ? 0 : later.rows.size()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM messages ORDER BY f, id",
                "SELECT id FROM messages ORDER BY j, id",
                "SELECT id FROM messages ORDER BY swedish, id",
                "SELECT SUM(ratio) FROM messages",
                "SELECT SUM(body) FROM messages",
                "SELECT MAX(swedish) FROM messages",
                "SELECT MAX(j) FROM messages"
            })
    void whatCanNotBeComparedExactlyIsRefused(String sql) {
        assertThatThrownBy(() -> merged(sql, false))
                .isInstanceOfSatisfying(
                        MergeException.class, e -> assertThat(e.errno()).isEqualTo(1235));
    }

    @Test
    void shardsWhoseTablesDifferAreAnError() throws SQLException {
        try (var admin = server.connect(TestServers.OPERATOR)) {
            run(admin, "ALTER TABLE chat.messages_s2 DROP COLUMN note");
            try {
                assertThatThrownBy(() -> merged("SELECT * FROM messages", false))
                        .isInstanceOf(MergeException.class)
                        .hasMessageContaining("disagree");
                assertThatThrownBy(() -> merged("SELECT * FROM messages ORDER BY id", true))
                        .isInstanceOf(MergeException.class)
                        .hasMessageContaining("disagree");
            } finally {
                run(admin, "ALTER TABLE chat.messages_s2 ADD COLUMN note TEXT");
                run(admin, "UPDATE chat.messages_s2 m JOIN chat.messages_whole w USING (id) SET m.note = w.note");
            }
        }
    }

    private record Answer(List<String> columns, List<String> rows) {}

    /** Null when the plan is a refusal. */
    private static @org.jspecify.annotations.Nullable Answer merged(String sql, boolean binary) throws SQLException {
        var planned = PLANS.plan(sql, binary);
        if (!(PLANS.route(sql, binary, List.<SqlValue>of()) instanceof Route.Several several)) {
            return null;
        }
        var rewrite = several.merge().rewrite();
        var text = rewrite == null
                ? sql
                : new String(rewrite.render(planned.scan(), several.limit()), StandardCharsets.UTF_8);
        var merger =
                RowMerger.of(several.merge(), several.limit(), several.shards().size(), binary);
        var streams = new ArrayList<List<byte[]>>();
        for (var i = 0; i < several.shards().size(); i++) {
            var raw = raw("s" + several.shards().get(i), text, binary);
            merger.columns(i, raw.definitions);
            streams.add(new ArrayList<>(raw.rows));
        }
        return drained(merger, streams);
    }

    private static Answer drained(RowMerger merger, List<List<byte[]>> streams) {
        var random = new Random(1);
        var rows = new ArrayList<String>();
        while (!merger.finished()) {
            var shard = random.nextInt(streams.size());
            if (streams.get(shard).isEmpty()) {
                merger.end(shard);
            } else if (merger.wants(shard)) {
                merger.row(shard, streams.get(shard).remove(0));
            }
            for (var row = merger.next(); row != null; row = merger.next()) {
                rows.add(new String(row, StandardCharsets.ISO_8859_1));
            }
        }
        return new Answer(names(merger.visibleColumns()), rows);
    }

    private static List<String> names(List<byte[]> definitions) {
        return definitions.stream()
                .map(definition -> {
                    var column = ColumnDefinition.parse(definition);
                    return column.name() + " " + column.type() + " " + column.decimals();
                })
                .toList();
    }

    private static Answer executed(String sql, boolean binary) throws SQLException {
        var raw = raw("whole", sql, binary);
        return new Answer(
                names(raw.definitions),
                raw.rows.stream()
                        .map(row -> new String(row, StandardCharsets.ISO_8859_1))
                        .toList());
    }

    private record Raw(List<byte[]> definitions, List<byte[]> rows) {}

    /** Each shard's table has a name of its own here, so that one server will do. */
    private static Raw raw(String shard, String text, boolean binary) throws SQLException {
        var sql = text.replace("messages", "messages_" + shard);
        try (var statement = binary ? connection.prepareStatement(sql) : connection.createStatement()) {
            RecordingSocketFactory.forget();
            if (statement instanceof java.sql.PreparedStatement prepared && binary) {
                prepared.executeQuery().close();
            } else {
                statement.executeQuery(sql).close();
            }
        }
        var packets = RecordingSocketFactory.packets();
        var columns = packets.get(0)[0] & 0xff;
        var rows = new ArrayList<byte[]>();
        for (var i = 1 + columns; i < packets.size(); i++) {
            var packet = packets.get(i);
            if ((packet[0] & 0xff) == 0xfe && packet.length < 0xffffff) {
                break;
            }
            rows.add(packet);
        }
        return new Raw(packets.subList(1, 1 + columns), rows);
    }
}
