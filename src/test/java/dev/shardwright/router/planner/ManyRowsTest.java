package dev.shardwright.router.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.VSchema.UnlistedTables;
import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.router.planner.scan.SqlModes;
import dev.shardwright.router.planner.scan.StatementScanner;
import dev.shardwright.router.planner.scan.TamedText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of plain values are routed as if the parser had read them, and it need not. */
class ManyRowsTest {
    private final StatementPlanner planner = Planners.planner(Planners.fourShards());
    private final StatementPlanner small =
            Planners.planner(Planners.topology(Planners.vschema(UnlistedTables.FirstShard), "-"));

    private Plan plan(String sql, StatementContext context) {
        return planner.plan(sql.getBytes(StandardCharsets.UTF_8), context).plan();
    }

    private List<Operand> keys(String sql, StatementContext context) {
        return ((Plan.Keyed) plan(sql, context))
                .keys().values().stream().map(row -> row.get(0)).toList();
    }

    private static int plainRows(String sql) {
        var statement = sql.getBytes(StandardCharsets.UTF_8);
        var tamed = new TamedText(statement);
        StatementScanner.scan(statement, SqlModes.DEFAULT, tamed);
        return tamed.rows().count();
    }

    private static Operand literal(int index) {
        return new Operand.Literal(index, false, null);
    }

    /** Each is the key of the second row, and of the first row of a statement of its own, which the parser reads. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "17",
                "-17",
                "- 17",
                "17.5",
                "1e3",
                "'17'",
                "'a,b)('",
                "'it''s'",
                "\"17\"",
                "NULL",
                "null",
                "x'41'",
                "X'41'",
                "0x41",
                "b'1'",
                "N'17'",
                "_binary'17'",
                "_BINARY '17'",
                "_latin1 x'41'",
                "/* a ) */ 17 -- b",
                "-'5'"
            })
    void everyPlainValueIsFound(String value) {
        var one = keys("INSERT INTO messages (id, channel_id, body) VALUES (1, " + value + "\n, 'b')", Planners.TEXT);
        var sql = "INSERT INTO messages (id, channel_id, body) VALUES (1, 2, 'b'),\n(NULL, " + value + "\n, 'b') , (1,'"
                + "y".repeat(200) + "', 4), (1, 2, 3)";
        var keys = keys(sql, Planners.TEXT);
        assertThat(plainRows(sql)).isEqualTo(3);
        assertThat(keys.get(0)).isEqualTo(literal(1));
        assertThat(shifted(keys.get(1), -2)).isEqualTo(one.get(0));
        int before = value.equalsIgnoreCase("NULL") ? 4 : 5;
        assertThat(keys.subList(2, 4)).containsExactly(literal(before + 1), literal(before + 4));
    }

    private static Operand shifted(Operand operand, int by) {
        return operand instanceof Operand.Literal literal
                ? new Operand.Literal(literal.index() + by, literal.negative(), literal.introducer())
                : operand;
    }

    @Test
    void parametersToo() {
        var sql = "INSERT INTO messages (id, channel_id) VALUES (?, ?), (1, ?), (?, 2), (?,?)"
                + " ON DUPLICATE KEY UPDATE id = ?";
        assertThat(plainRows(sql)).isEqualTo(3);
        assertThat(keys(sql, Planners.PREPARED))
                .containsExactly(
                        new Operand.Parameter(1), new Operand.Parameter(2), literal(1), new Operand.Parameter(5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(1, 1 + 1)",
                "(1, (2))",
                "(1, +2)",
                "(1, 'a' 'b')",
                "(1, @a)",
                "(1, `a`)",
                "(1, UPPER('a'))",
                "(1, a)",
                "(1, _binary 5)",
                "(1, - -2)"
            })
    void whatIsMoreThanAPlainValueIsLeftToTheParser(String row) {
        var sql = "INSERT INTO messages (channel_id, id) VALUES (1, 2), (3, 4), " + row + ", (5, 6), (7, 8)";
        assertThat(plainRows(sql)).isEqualTo(3);
    }

    @Test
    void rowsOfBothKindsAreAllRouted() {
        var sql = "INSERT INTO messages (channel_id, id) VALUES (1, 2), (3, 4), (5, 6 + 7), (8, 9), (10, 11),"
                + " (12, 'a' 'b'), (15, 16) AS new ON DUPLICATE KEY UPDATE id = VALUES(id), body = 17";
        assertThat(keys(sql, Planners.TEXT))
                .containsExactlyInAnyOrder(
                        literal(0), literal(2), literal(4), literal(7), literal(9), literal(11), literal(14));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO messages (channel_id, id) VALUES (1, 2), (3)",
                "INSERT INTO messages (id, channel_id) VALUES (1, 2), (3)",
                "INSERT INTO messages (id, channel_id) VALUES (1, 2), (3, DEFAULT)",
                "INSERT INTO messages (id, channel_id) VALUES (1, 2), (3, TRUE)",
                "INSERT INTO messages (id, channel_id) VALUES (1, 2), (3, 4) x (5, 6)",
                "INSERT INTO messages (id, channel_id) VALUES (1, 2), (3, 4), (",
                "INSERT INTO messages (id, channel_id) VALUES (1, 2), (3, 4), (5, 6",
                "INSERT INTO messages (id, channel_id) VALUES (1, 2), (3, 4,), (5, 6)",
                "INSERT INTO messages (channel_id, id) VALUES (1, 2), (), (5, 6)",
                "INSERT INTO messages (id, channel_id) VALUES (1, 2), (3, 4))"
            })
    void whatIsWrongWithALaterRowIsSeen(String sql) {
        var plan = plan(sql, Planners.TEXT);
        if (sql.contains("channel_id, id")) {
            assertThat(plan)
                    .as("the key is there; MySQL says that the row is too short")
                    .isInstanceOf(Plan.Keyed.class);
        } else {
            assertThat(plan).as(sql).isInstanceOf(Plan.Refused.class);
        }
    }

    @Test
    void otherListsOfRowsAreNoConcernOfIt() {
        assertThat(plainRows("SELECT * FROM t WHERE (a, b) IN ((1, 2), (3, 4))"))
                .isZero();
        assertThat(plainRows("INSERT INTO t SELECT * FROM u WHERE (a, b) IN ((1, 2), (3, 4))"))
                .isZero();
        assertThat(plainRows("INSERT INTO t (a) SELECT * FROM (VALUES ROW(1), ROW(2)) AS v"))
                .isZero();
        assertThat(plainRows("INSERT INTO t (a) VALUES ROW(1), ROW(2)")).isZero();
        assertThat(plainRows("REPLACE t VALUE (1), (2)")).isEqualTo(1);
    }

    @Test
    void aHundredThousandRowsAreAsShortAsOne() {
        var rows = IntStream.range(0, 100_000)
                .mapToObj(i -> "(" + i + ", 17, 'text of " + i + "')")
                .collect(Collectors.joining(","));
        var sql = "INSERT INTO messages (id, channel_id, body) VALUES " + rows;
        var statement = sql.getBytes(StandardCharsets.UTF_8);
        var tamed = new TamedText(statement);
        StatementScanner.scan(statement, SqlModes.DEFAULT, tamed);
        assertThat(tamed.size()).isLessThan(sql.indexOf("17, 'text of 1'"));
        assertThat(keys(sql, Planners.TEXT)).hasSize(100_000).endsWith(literal(299_998));
    }

    @Test
    void aTextThatNoHeapIsLargeEnoughForIsRefusedWithoutAParser() {
        var sum = "1" + " + 1".repeat(400_000);
        assertThat(plan("SELECT " + sum + " FROM messages WHERE channel_id = 5", Planners.TEXT))
                .isInstanceOfSatisfying(
                        Plan.Refused.class,
                        refused -> assertThat(refused.message()).contains("split it"));
        assertThat(small.plan(("SELECT " + sum).getBytes(StandardCharsets.UTF_8), Planners.TEXT)
                        .plan())
                .as("one shard's server takes what it takes")
                .isInstanceOf(Plan.PassThrough.class);
    }
}
