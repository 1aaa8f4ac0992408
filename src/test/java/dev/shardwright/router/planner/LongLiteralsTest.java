package dev.shardwright.router.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.router.planner.parse.StatementParser;
import dev.shardwright.router.planner.parse.SyntaxException;
import dev.shardwright.router.planner.scan.SqlModes;
import dev.shardwright.router.planner.scan.StatementScanner;
import dev.shardwright.router.planner.scan.TamedText;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A parser passes over the inside of long literals and comments; a plan is as if it had read them. */
class LongLiteralsTest {
    private static final String MUCH = "5".repeat(100_000);

    private final ShardMap map = ShardMap.of(Planners.fourShards());
    private final StatementPlanner planner = Planners.planner(Planners.fourShards());

    private Planned plan(String sql) {
        return planner.plan(sql.getBytes(StandardCharsets.UTF_8), Planners.TEXT);
    }

    private Route route(String sql) {
        return RoutePlanner.route(plan(sql), Planners.TEXT, Parameters.NONE, map);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'%s'",
                "\"%s\"",
                "'it''s \\' %s \\\\'",
                "x'%s'",
                "0x%s",
                "N'%s'",
                "_latin1'%s'",
                "'a' '%s'",
                "/* %s */ 1"
            })
    void aKeyBehindThemIsFound(String literal) {
        var wanted = route("INSERT INTO messages (body, channel_id, more) VALUES ('b', 17, 'c')");
        assertThat(wanted).isInstanceOf(Route.One.class);
        var text = literal.formatted(MUCH);
        assertThat(route("INSERT INTO messages (body, channel_id, more) VALUES (" + text + ", 17, " + text + ")"))
                .isEqualTo(wanted);
        assertThat(route("UPDATE messages SET body = " + text + " WHERE channel_id = 17"))
                .isEqualTo(wanted);
    }

    /** A column has its expression's text as its name. */
    @Test
    void whatIsSentToShardsHasAllOfThem() {
        var sql = "SELECT CONCAT(body, '" + MUCH + "') FROM messages ORDER BY id";
        var several = (Route.Several) route(sql);
        var rewrite = several.merge().rewrite();
        var sent = rewrite == null
                ? sql
                : new String(rewrite.render(plan(sql).scan(), several.limit()), StandardCharsets.UTF_8);
        assertThat(sent).contains("CONCAT(body, '" + MUCH + "')");
    }

    @ParameterizedTest
    @ValueSource(ints = {62, 63, 64, 65, 66, 80})
    void ofAnyLength(int length) throws SyntaxException {
        var sql = "SELECT '" + "a".repeat(length) + "', 'b', x'" + "a".repeat(length) + "', 3 /*" + "a".repeat(length)
                + "*/, t.`c` FROM t";
        var statement = sql.getBytes(StandardCharsets.UTF_8);
        var tamed = new TamedText(statement);
        var scan = StatementScanner.scan(statement, SqlModes.DEFAULT, tamed);
        assertThat(StatementParser.parse(scan, tamed, SqlModes.DEFAULT).scan().literals())
                .isEqualTo(4);
    }

    @Test
    void anErrorBehindThemIsFound() {
        assertThat(route("SELECT '" + MUCH + "' '" + MUCH + "' FORM messages WHERE 5"))
                .isInstanceOfSatisfying(
                        Route.Refused.class,
                        refused -> assertThat(refused.message()).hasSizeLessThan(1_000));
    }
}
