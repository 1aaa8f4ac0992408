package dev.shardwright.router.planner.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.router.planner.scan.Scan;
import dev.shardwright.router.planner.scan.SqlModes;
import dev.shardwright.router.planner.scan.StatementScanner;
import dev.shardwright.router.planner.scan.TamedText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scanner alone decides what a literal is; the parser must see the same ones, or the statement is refused. */
class ScannerAgreementTest {
    private static final List<String> LITERALS = List.of(
            "0",
            "5",
            "18446744073709551615",
            "99999999999999999999999",
            "1.5",
            ".5",
            "1e3",
            "1.5E-3",
            "'a'",
            "''",
            "'it''s'",
            "'a\\'b'",
            "'\\\\'",
            "\"d\"",
            "\"d\"\"e\"",
            "'-- no'",
            "'/* no */'",
            "'?'",
            "'`'",
            "'é😀'",
            "x'4f'",
            "X'4F'",
            "0x4f",
            "b'01'",
            "B'1'",
            "0b01",
            "N'n'",
            "n'n'",
            "_utf8mb4'u'",
            "_binary 'b'",
            "_LATIN1 x'41'");
    private static final List<String> GLUE =
            List.of(" ", "  ", "\n", "\t", " /* c ' */ ", " -- c '\n", " # c \"\n", "/**/ ");
    private static final List<String> NAMES = List.of(
            "a", "`b c`", "t.a", "t.`select`", "5abc", "1e", "é", "@v", "@`w x`", "@'q'", "@@sql_mode", "x", "n", "b");
    private static final List<String> OPERATORS =
            List.of("+", "-", "*", "/", "=", "<=>", "<", ">=", "<>", "AND", "OR", "||", "&&", "XOR", "DIV", "%", "|");

    @Test
    void generatedStatementsHaveTheLiteralsThatWereWritten() throws SyntaxException {
        var random = new Random(42);
        for (var i = 0; i < 300; i++) {
            var written = new ArrayList<String>();
            var sql = statement(random, written);
            var scan = scan(sql, SqlModes.DEFAULT, new TamedText(bytes(sql)));
            assertThat(scan.problem()).as(sql).isNull();
            assertThat(texts(scan)).as(sql).isEqualTo(written);
            var tamed = new TamedText(bytes(sql));
            var parsed = StatementParser.parse(scan(sql, SqlModes.DEFAULT, tamed), tamed, SqlModes.DEFAULT);
            assertThat(parsed.scan().literals()).isEqualTo(written.size());
        }
    }

    private static String statement(Random random, List<String> written) {
        var sql = new StringBuilder("SELECT");
        for (var i = 0; i <= random.nextInt(6); i++) {
            sql.append(i == 0 ? "" : pick(random, GLUE) + pick(random, OPERATORS))
                    .append(pick(random, GLUE));
            if (random.nextBoolean()) {
                sql.append(pick(random, NAMES));
            } else {
                var literal = pick(random, LITERALS);
                sql.append(literal);
                written.add(literal.replaceFirst("^_[A-Za-z0-9]+ ?", ""));
            }
        }
        // A name as a user variable is quoted like a string, and counted like one.
        return count(sql.append(pick(random, GLUE)).append("FROM t").toString(), written);
    }

    private static String count(String sql, List<String> written) {
        if (!sql.contains("@'q'")) {
            return sql;
        }
        written.clear();
        written.addAll(texts(scan(sql, SqlModes.DEFAULT, new TamedText(bytes(sql)))));
        return sql;
    }

    private static String pick(Random random, List<String> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static List<String> texts(Scan scan) {
        var texts = new ArrayList<String>();
        for (var i = 0; i < scan.literals(); i++) {
            texts.add(new String(scan.text(i), StandardCharsets.UTF_8));
        }
        return texts;
    }

    private static Scan scan(String sql, SqlModes modes, TamedText tamed) {
        return StatementScanner.scan(bytes(sql), modes, tamed);
    }

    private static byte[] bytes(String sql) {
        return sql.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void noTextMakesItFall() {
        var random = new Random(7);
        var alphabet = "'\"`\\/*-#;@.?x0b1eEnN_a \n$(,)=!\0\u00e9".toCharArray();
        for (var i = 0; i < 20_000; i++) {
            var text = new StringBuilder();
            for (var length = random.nextInt(24); length > 0; length--) {
                text.append(alphabet[random.nextInt(alphabet.length)]);
            }
            for (var modes : List.of(SqlModes.DEFAULT, SqlModes.parse("ANSI,NO_BACKSLASH_ESCAPES"))) {
                var tamed = new TamedText(bytes(text.toString()));
                var scan = scan(text.toString(), modes, tamed);
                assertThat(tamed.length()).isEqualTo(bytes(text.toString()).length);
                for (var literal = 0; literal < scan.literals(); literal++) {
                    assertThat(scan.start(literal)).isLessThan(scan.end(literal));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 FROM t WHERE a = 5|SELECT  2 FROM/**/ t WHERE a = 77",
                "SELECT 'x' FROM t|SELECT \"y''\" FROM t",
                "INSERT INTO t VALUES (1,'a')|INSERT INTO t VALUES (22,'b\\'c')"
            })
    void statementsThatDifferInLiteralsOnlyHaveOneFingerprint(String pair) {
        var texts = pair.split("\\|");
        assertThat(fingerprint(texts[0])).isEqualTo(fingerprint(texts[1]));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM t ORDER BY 1|SELECT a FROM t ORDER BY 2",
                "SELECT a FROM t GROUP BY 1|SELECT a FROM t GROUP BY 2",
                "SELECT a FROM t WHERE b = 1|SELECT a FROM t WHERE b = '1'",
                "SELECT a FROM t WHERE b = 1|SELECT a FROM t WHERE b = 1.0",
                "SELECT a FROM t WHERE b = 1|SELECT a FROM t WHERE b = NULL",
                "SELECT a FROM t WHERE b = 'x'|SELECT a FROM t WHERE b = _binary'x'",
                "SELECT a FROM t WHERE b = 'x'|SELECT a FROM t WHERE b = 'x' 'y'",
                "SELECT a FROM t WHERE b = NOW() - INTERVAL 1 DAY|SELECT a FROM t WHERE b = NOW() - INTERVAL 1 YEAR",
                "SELECT a /*! , 1 */ FROM t|SELECT a /*! , 2 */ FROM t",
                "SELECT /*+ NO_INDEX(t) */ a FROM t|SELECT a FROM t",
                "SELECT ab FROM t|SELECT a b FROM t",
                "SET @a = 1|SET @a = 2",
                "SELECT @'a'|SELECT @'b'"
            })
    void statementsThatMeanSomethingElseHaveFingerprintsOfTheirOwn(String pair) {
        var texts = pair.split("\\|");
        assertThat(fingerprint(texts[0])).isNotEqualTo(fingerprint(texts[1]));
    }

    private static byte[] fingerprint(String sql) {
        return StatementScanner.scan(bytes(sql), SqlModes.DEFAULT).fingerprint();
    }
}
