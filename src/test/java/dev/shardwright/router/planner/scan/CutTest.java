package dev.shardwright.router.planner.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CutTest {

    @Test
    void cutsAtSemicolonsThatEndStatements() {
        assertThat(parts("SELECT 1; SELECT ';' ;\n SELECT \"a;\", `b;` -- c;\n; SELECT /* ; */ 2;"))
                .containsExactly("SELECT 1", "SELECT ';' ", "SELECT \"a;\", `b;` -- c;\n", "SELECT /* ; */ 2;");
    }

    @Test
    void anEmptyStatementIsOne() {
        assertThat(parts("SELECT 1;;SELECT 2")).containsExactly("SELECT 1", "", "SELECT 2");
        assertThat(parts("SELECT 1; ; ")).containsExactly("SELECT 1; ; ");
    }

    @Test
    void readsQuotesByTheModes() {
        var text = "SELECT 'a\\'; SELECT 'b'".getBytes(StandardCharsets.UTF_8);
        assertThat(StatementScanner.cut(text, 0, SqlModes.DEFAULT).unsure()).isTrue();
        assertThat(StatementScanner.cut(text, 0, SqlModes.parse("NO_BACKSLASH_ESCAPES"))
                        .end())
                .isEqualTo(11);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE PROCEDURE p() BEGIN SELECT 1; END",
                "create definer = 'a'@'b' trigger t BEFORE INSERT ON x FOR EACH ROW BEGIN SET @a = 1; END",
                "/*!50003 CREATE*/ /*!50017 DEFINER=`a`@`b`*/ /*!50003 TRIGGER t BEFORE INSERT ON x FOR EACH ROW"
                        + " BEGIN SET @a = 1; END */; SELECT 1",
                "ALTER EVENT e DO BEGIN SELECT 1; END",
                "SELECT 'not closed; SELECT 2"
            })
    void isUnsureWhereOnlyMysqlCanTell(String text) {
        assertThat(cut(text).unsure()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE event (a INT); SELECT 1",
                "ALTER TABLE t ADD trigger_id INT; SELECT 1",
                "/*!40101 SET NAMES utf8 */; SELECT 1",
                "BEGIN; SELECT 1",
                "DROP PROCEDURE p; SELECT 1"
            })
    void isSureOfTheOthers(String text) {
        assertThat(cut(text).unsure()).isFalse();
    }

    private static Cut cut(String text) {
        return StatementScanner.cut(text.getBytes(StandardCharsets.UTF_8), 0, SqlModes.DEFAULT);
    }

    private static List<String> parts(String sql) {
        var text = sql.getBytes(StandardCharsets.UTF_8);
        var parts = new ArrayList<String>();
        int from = 0;
        while (from >= 0) {
            var cut = StatementScanner.cut(text, from, SqlModes.DEFAULT);
            parts.add(new String(text, cut.start(), cut.end() - cut.start(), StandardCharsets.UTF_8));
            from = cut.next();
        }
        return parts;
    }
}
