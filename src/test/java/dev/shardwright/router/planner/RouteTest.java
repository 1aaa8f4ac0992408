package dev.shardwright.router.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.topology.model.Topology;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTest {
    private final Topology topology = Planners.fourShards();
    private final ShardMap map = ShardMap.of(topology);
    private final StatementPlanner planner = Planners.planner(topology);

    private Route route(String sql) {
        var planned = planner.plan(sql.getBytes(StandardCharsets.UTF_8), Planners.TEXT);
        return RoutePlanner.route(planned, Planners.TEXT, Parameters.NONE, map);
    }

    private Route route(String sql, SqlValue... parameters) {
        var planned = planner.plan(sql.getBytes(StandardCharsets.UTF_8), Planners.PREPARED);
        return RoutePlanner.route(planned, Planners.PREPARED, index -> parameters[index], map);
    }

    private static SqlValue number(long value) {
        return SqlValue.Int.of(value);
    }

    @Test
    void equalValuesInAnyFormGoToTheSameShard() {
        var wanted = route("INSERT INTO messages (channel_id) VALUES (17)");
        assertThat(wanted).isInstanceOf(Route.One.class);
        assertThat(List.of(
                        route("INSERT INTO messages (id, channel_id) VALUES (1, '17'), (2, 17)"),
                        route("INSERT INTO messages SET channel_id = 17"),
                        route("REPLACE INTO messages (channel_id) VALUES (?)", number(17)),
                        route("SELECT * FROM messages WHERE channel_id = 17"),
                        route("SELECT * FROM messages WHERE channel_id = '17'"),
                        route("SELECT * FROM messages WHERE channel_id = ?", number(17)),
                        route("SELECT * FROM messages WHERE channel_id IN (17, 17, NULL)"),
                        route("UPDATE messages SET a = 1 WHERE channel_id = 17"),
                        route("DELETE FROM messages WHERE channel_id = ?", number(17))))
                .containsOnly(wanted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "5.0 | decimal",
                "5e0 | double",
                "'5abc' | whole number",
                "'5 ' | whole number",
                "'' | whole number",
                "'05' | whole number",
                "x'35' | whole number",
                "9223372036854775808 | out of the range",
                "NULL | NULL"
            })
    void aKeyThatIsNotStoredAsGivenIsRefused(String literal, String reason) {
        assertThat(route("INSERT INTO messages (channel_id) VALUES (" + literal + ")"))
                .isInstanceOfSatisfying(
                        Route.Refused.class,
                        refused -> assertThat(refused.message()).contains(reason));
    }

    @Test
    void aComparisonInAnotherTypeReadsEverywhereAndWritesNowhere() {
        assertThat(route("SELECT * FROM messages WHERE channel_id = '5abc'"))
                .isInstanceOfSatisfying(
                        Route.Several.class,
                        several -> assertThat(several.shards()).containsExactly(0, 1, 2, 3));
        assertThat(route("SELECT * FROM names WHERE name = 5")).isInstanceOf(Route.Several.class);
        assertThat(route("SELECT DISTINCT a FROM messages WHERE channel_id = 5.0"))
                .isInstanceOf(Route.Refused.class);
        assertThat(route("UPDATE messages SET a = 1 WHERE channel_id = '5abc'")).isInstanceOf(Route.Refused.class);
        assertThat(route("DELETE FROM messages WHERE channel_id = 5.5")).isInstanceOf(Route.Refused.class);
    }

    @Test
    void aComparisonThatCanMatchNothingRunsAnywhere() {
        assertThat(route("SELECT * FROM messages WHERE channel_id = NULL")).isEqualTo(new Route.Any());
        assertThat(route("SELECT * FROM messages WHERE channel_id = ?", new SqlValue.Null()))
                .isEqualTo(new Route.Any());
        assertThat(route("DELETE FROM messages WHERE channel_id = 9223372036854775808"))
                .isEqualTo(new Route.Any());
    }

    @Test
    void severalValuesGoToTheirShardsOnly() {
        var one = shard("SELECT * FROM messages WHERE channel_id = 1");
        var other = 2;
        while (shard("SELECT * FROM messages WHERE channel_id = " + other) == one) {
            other++;
        }
        assertThat(route("SELECT * FROM messages WHERE channel_id IN (1, " + other + ") LIMIT 3, 4"))
                .isInstanceOfSatisfying(Route.Several.class, several -> {
                    assertThat(several.shards()).hasSize(2).contains(one);
                    assertThat(several.limit()).isEqualTo(new RowLimit(3, 4));
                });
        assertThat(route("INSERT INTO messages (channel_id) VALUES (1), (" + other + ")"))
                .isInstanceOf(Route.Refused.class);
        assertThat(route("UPDATE messages SET a = 1 WHERE channel_id IN (1, " + other + ")"))
                .isInstanceOf(Route.Refused.class);
        assertThat(route("SELECT a, COUNT(*) FROM messages WHERE channel_id IN (1, " + other + ") GROUP BY a"))
                .isInstanceOf(Route.Refused.class);
        assertThat(route("SELECT * FROM messages m, reactions r WHERE m.channel_id = 1 AND r.channel_id = " + other))
                .isInstanceOf(Route.Refused.class);
        assertThat(shard("SELECT * FROM messages m, reactions r WHERE m.channel_id = 1 AND r.channel_id = 1"))
                .isEqualTo(one);
    }

    private int shard(String sql) {
        return ((Route.One) route(sql)).shard();
    }

    @Test
    void limitsMayBeParameters() {
        assertThat(route("SELECT * FROM messages LIMIT ?, ?", number(5), number(10)))
                .isInstanceOfSatisfying(
                        Route.Several.class,
                        several -> assertThat(several.limit()).isEqualTo(new RowLimit(5, 10)));
        assertThat(route("SELECT * FROM messages LIMIT ?", new SqlValue.Other("double")))
                .isInstanceOf(Route.Refused.class);
        assertThat(route("SELECT * FROM messages LIMIT 18446744073709551615"))
                .isInstanceOfSatisfying(
                        Route.Several.class,
                        several -> assertThat(several.limit().forEachShard()).isEqualTo(Long.MAX_VALUE));
    }

    @Test
    void escapesAreReadAsMysqlDoes() {
        assertThat(route("SELECT * FROM names WHERE name = 'it''s \\'q\\' \\\\ \\n\\0'"))
                .isEqualTo(route(
                        "SELECT * FROM names WHERE name = ?",
                        new SqlValue.Text("it's 'q' \\ \n\0".getBytes(StandardCharsets.UTF_8), "utf8mb4")));
        assertThat(route("SELECT * FROM tokens WHERE token = 0xabc"))
                .isEqualTo(route("SELECT * FROM tokens WHERE token = x'0ABC'"))
                .isInstanceOf(Route.One.class);
    }

    @Test
    void largeUnsignedKeysAreWhole() {
        assertThat(route("SELECT * FROM accounts WHERE user_id = 18446744073709551615"))
                .isEqualTo(route(
                        "SELECT * FROM accounts WHERE user_id = ?",
                        new SqlValue.Int(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE))))
                .isInstanceOf(Route.One.class);
    }
}
