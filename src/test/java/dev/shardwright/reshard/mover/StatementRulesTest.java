package dev.shardwright.reshard.mover;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementRulesTest {
    private final StatementRules rules = new StatementRules("chat");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE t ADD c INT",
                "/* by someone */ alter table t add c int",
                "-- x\nDROP TABLE t",
                "TRUNCATE TABLE t",
                "CREATE TABLE t2 AS SELECT 1",
                "RENAME TABLE t TO other.t",
                "CREATE INDEX i ON t (a)",
                "CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1",
                "INSERT INTO t VALUES (1)",
                "/*!40000 ALTER TABLE t DISABLE KEYS */"
            })
    void whatMayChangeTheKeyspaceIsNotHarmless(String sql) {
        assertThat(rules.isHarmless("chat", sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP TABLE chat.t",
                "DROP DATABASE `Chat`",
                "ALTER TABLE `chat`.t ADD c INT",
                "DROP SCHEMA IF EXISTS chat"
            })
    void fromAnotherDatabaseToo(String sql) {
        assertThat(rules.isHarmless("other", sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GRANT ALL ON chat.* TO a",
                "CREATE USER a",
                "ANALYZE TABLE t",
                "FLUSH TABLES",
                "CREATE DEFINER=`app`@`%` EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t",
                "DROP EVENT IF EXISTS `chat`.`e`",
                "DROP TEMPORARY TABLE IF EXISTS `x`",
                "DROP /*!40005 TEMPORARY */ TABLE IF EXISTS `x`"
            })
    void whatTouchesNoRowIs(String sql) {
        assertThat(rules.isHarmless("chat", sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE IF NOT EXISTS `_shardwright`.watermark (a INT)",
                "DROP TABLE t",
                "CREATE TABLE snapchat.t (a INT)",
                "DROP DATABASE chat2"
            })
    void otherDatabasesDoNotMatter(String sql) {
        assertThat(rules.isHarmless("_shardwright", sql)).isTrue();
    }
}
