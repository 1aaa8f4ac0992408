package dev.shardwright.reshard.cutover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.reshard.mover.Movability;
import dev.shardwright.reshard.workflow.Goal;
import dev.shardwright.reshard.workflow.WorkflowEngine;
import dev.shardwright.reshard.workflow.WorkflowReport;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What in a database is no table: it is where it serves, and nowhere where it would be wrong. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObjectsIT {
    /** Made out of the binary log, as one that is written there stops the movers. */
    private static final String UNSEEN = "SET SESSION sql_log_bin = 0";

    private static final String EVENTS =
            "SELECT @@GLOBAL.event_scheduler, COALESCE(GROUP_CONCAT(EVENT_NAME, ' ', STATUS"
                    + " ORDER BY EVENT_NAME DESC), 'none') FROM information_schema.EVENTS WHERE EVENT_SCHEMA = 'chat'";

    private static final List<String> SHOWN = List.of(
            "EVENT tick",
            "EVENT rests",
            "VIEW a_top",
            "VIEW b_base",
            "FUNCTION joined",
            "PROCEDURE fill",
            "DATABASE chat");

    @SuppressWarnings("NullAway.Init")
    private SplitCluster cluster;

    @BeforeAll
    void verified(@TempDir Path directory) throws SQLException {
        cluster = new SplitCluster(directory);
        run(
                cluster.source(),
                "CREATE TABLE notes (id INT PRIMARY KEY, n VARCHAR(20))",
                "INSERT INTO notes VALUES (1, 'x')",
                "CREATE TABLE ticks (server VARCHAR(36) PRIMARY KEY, n BIGINT NOT NULL)",
                "CREATE DEFINER = app@'%' EVENT tick ON SCHEDULE EVERY 1 SECOND COMMENT 'ä' DO"
                        + " INSERT INTO ticks VALUES (@@server_uuid, 1) ON DUPLICATE KEY UPDATE n = n + 1",
                "CREATE DEFINER = app@'%' EVENT rests ON SCHEDULE EVERY 1 SECOND STARTS '2020-01-01 00:00:00' DISABLE"
                        + " DO DELETE FROM ticks",
                "CREATE DEFINER = app@'%' VIEW b_base AS SELECT id, n AS `from` FROM notes",
                "CREATE DEFINER = gone@nowhere SQL SECURITY INVOKER VIEW a_top AS SELECT `from`, id + 1 AS j FROM b_base",
                "SET SESSION sql_mode = 'PIPES_AS_CONCAT,ANSI_QUOTES', character_set_client = latin1,"
                        + " collation_connection = latin1_german1_ci",
                "CREATE DEFINER = app@'%' FUNCTION joined(a INT, `b``b` VARCHAR(9) CHARACTER SET latin1) RETURNS TEXT"
                        + " DETERMINISTIC COMMENT 'it''s {d here}' RETURN a || 'x''{d \\'' || `b``b`",
                "SET SESSION sql_mode = DEFAULT, character_set_client = utf8mb4, collation_connection = utf8mb4_0900_ai_ci",
                "ALTER DATABASE chat COLLATE utf8mb4_bin",
                "CREATE DEFINER = app@'%' PROCEDURE fill(IN x INT, OUT y INT) BEGIN INSERT INTO notes VALUES (x, 'ä🙂');"
                        + " SELECT COUNT(*) INTO y FROM a_top; END");
        cluster.reach(cluster.engine(StepListener.NONE), Goal.Verified);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @BeforeEach
    void sourceServes() {
        cluster.reach(cluster.engine(StepListener.NONE), Goal.RolledBack);
        cluster.events.clear();
    }

    private static void run(LocalMysqld server, String... statements) throws SQLException {
        try (var connection = server.connect(TestServers.OPERATOR)) {
            connection.setCatalog("chat");
            try (var statement = connection.createStatement()) {
                statement.setEscapeProcessing(false);
                for (var sql : statements) {
                    statement.execute(sql);
                }
            }
        }
    }

    private static String one(LocalMysqld server, String sql) throws SQLException {
        try (var connection = server.connect(TestServers.OPERATOR)) {
            connection.setCatalog("chat");
            try (var statement = connection.createStatement();
                    var rows = statement.executeQuery(sql)) {
                rows.next();
                var columns = new ArrayList<String>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    columns.add(rows.getString(i));
                }
                return String.join(" ", columns);
            }
        }
    }

    private static String views(LocalMysqld server) throws SQLException {
        return one(
                server,
                "SELECT COALESCE(GROUP_CONCAT(TABLE_NAME ORDER BY TABLE_NAME), '') FROM information_schema.VIEWS"
                        + " WHERE TABLE_SCHEMA = 'chat'");
    }

    private static String triggers(LocalMysqld server) throws SQLException {
        return one(
                server,
                "SELECT COALESCE(GROUP_CONCAT(TRIGGER_NAME ORDER BY TRIGGER_NAME), '') FROM information_schema.TRIGGERS"
                        + " WHERE TRIGGER_SCHEMA = 'chat'");
    }

    private static String routines(LocalMysqld server) throws SQLException {
        return one(
                server,
                "SELECT GROUP_CONCAT(ROUTINE_NAME ORDER BY ROUTINE_NAME) FROM information_schema.ROUTINES"
                        + " WHERE ROUTINE_SCHEMA = 'chat'");
    }

    @Test
    void theFirstShardGetsThemAsTheyAreAndOthersWhatTouchesNoTable() throws SQLException {
        cluster.reach(cluster.engine(StepListener.NONE), Goal.Switched);

        var first = cluster.targets().getFirst();
        var second = cluster.targets().getLast();
        for (var object : SHOWN) {
            assertThat(one(first, "SHOW CREATE " + object))
                    .as(object)
                    .isEqualTo(one(cluster.source(), "SHOW CREATE " + object));
        }
        assertThat(views(second)).isEmpty();
        assertThat(routines(second)).isEqualTo("joined");
        assertThat(one(second, "SELECT joined(7, 'q')")).isEqualTo("7x'{d 'q");
        run(first, "CALL fill(2, @y)");

        cluster.reach(cluster.engine(StepListener.NONE), Goal.RolledBack);
        assertThat(one(cluster.source(), "SELECT GROUP_CONCAT(id ORDER BY id) FROM b_base"))
                .as("written through the new shards' procedure, read through the old one's view")
                .isEqualTo("1,2");
        cluster.assertWhole();
    }

    @Test
    void whatChangesBeforeASwitchoverIsBroughtAlong() throws SQLException {
        run(cluster.source(), UNSEEN, "CREATE VIEW late AS SELECT 1 AS one", "DROP VIEW IF EXISTS lost");
        run(cluster.targets().getFirst(), UNSEEN, "CREATE OR REPLACE VIEW b_base AS SELECT 2 AS two");
        run(cluster.targets().getFirst(), UNSEEN, "CREATE VIEW lost AS SELECT 1 AS one");
        cluster.reach(cluster.engine(StepListener.NONE), Goal.Switched);
        assertThat(views(cluster.targets().getFirst())).isEqualTo("a_top,b_base,late");

        run(cluster.targets().getFirst(), UNSEEN, "DROP VIEW late", "CREATE VIEW later AS SELECT 1 AS one");
        cluster.reach(cluster.engine(StepListener.NONE), Goal.RolledBack);
        assertThat(views(cluster.source())).isEqualTo("a_top,b_base,later");
        run(cluster.source(), UNSEEN, "DROP VIEW later");
    }

    @Test
    void aChangeAtTheLastMomentMeansUndoAndAnotherTry() throws SQLException {
        var done = new ArrayList<Step>();
        var engine = cluster.engine(new StepListener() {
            @Override
            public void before(Step step) {
                if (step == Step.MARK_FENCED && done.isEmpty()) {
                    done.add(step);
                    try {
                        run(cluster.source(), UNSEEN, "ALTER VIEW a_top AS SELECT 3 AS three");
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        });
        var report = await(engine, "ObjectsDiffer");
        assertThat(report.message()).contains("undone", "view a_top is not the same on chat-x-80");
        cluster.reach(engine, Goal.Switched);
        assertThat(one(cluster.targets().getFirst(), "SELECT * FROM a_top")).isEqualTo("3");
    }

    @Test
    void whatCanNotBeCreatedOnATargetIsNamed() throws SQLException {
        run(
                cluster.source(),
                UNSEEN,
                "CREATE TABLE chat.only_here (a INT PRIMARY KEY)",
                "CREATE VIEW dangling AS SELECT * FROM only_here",
                "CREATE VIEW above AS SELECT * FROM dangling");
        var engine = cluster.engine(StepListener.NONE);
        var report = await(engine, "ObjectsNotMovable");
        assertThat(report.message())
                .contains("on chat-x-80", "view dangling: Table 'chat.only_here' doesn't exist", "view above");
        assertThat(report.succeeded()).isEqualTo(WorkflowReport.Succeeded.FALSE);
        assertThat(cluster.sourceServes()).isTrue();

        run(cluster.source(), UNSEEN, "DROP VIEW dangling, above", "DROP TABLE only_here");
        cluster.reach(engine, Goal.Switched);
    }

    @Test
    void triggersAreOnTheServingSideOnly() throws SQLException {
        var all = "a_insert,a_update,b_insert,b_update,c_plain";
        assertThat(triggers(cluster.source())).isEqualTo(all);
        assertThat(triggers(cluster.targets().getFirst())).isEmpty();

        cluster.reach(cluster.engine(StepListener.NONE), Goal.Switched);
        assertThat(triggers(cluster.source())).isEmpty();
        assertThat(triggers(cluster.targets().getFirst())).isEqualTo(all);
        assertThat(triggers(cluster.targets().getLast())).isEqualTo("a_insert,a_update,b_insert,b_update");
        cluster.assertWhole();

        cluster.reach(cluster.engine(StepListener.NONE), Goal.RolledBack);
        assertThat(triggers(cluster.source())).isEqualTo(all);
        assertThat(triggers(cluster.targets().getLast())).isEmpty();
        cluster.assertWhole();
    }

    /** One that has done its last drops itself, which the binary log tells: no reason to stop. */
    @Test
    void eventsRunOnTheServingSideOnly() throws SQLException {
        var source = cluster.source();
        var first = cluster.targets().getFirst();
        cluster.engine(StepListener.NONE)
                .fenceReconciler()
                .reconcile("source", new Endpoint(source.host(), source.port()));
        run(source, "CREATE EVENT once ON SCHEDULE AT CURRENT_TIMESTAMP + INTERVAL 1 SECOND DO SET @a = 1");
        ticks(source);
        becomes(source, "SELECT COUNT(*) FROM information_schema.EVENTS WHERE EVENT_NAME = 'once'", "0");

        cluster.reach(cluster.engine(StepListener.NONE), Goal.Switched);
        ticks(first);
        assertThat(one(first, EVENTS)).isEqualTo("ON tick ENABLED,rests DISABLED");
        assertThat(one(source, EVENTS)).startsWith("OFF tick");
        assertThat(one(cluster.targets().getLast(), EVENTS)).isEqualTo("OFF none");

        cluster.reach(cluster.engine(StepListener.NONE), Goal.RolledBack);
        ticks(source);
        assertThat(one(first, EVENTS)).startsWith("OFF tick");
        cluster.assertWhole();
    }

    private static void ticks(LocalMysqld server) throws SQLException {
        var mine = "SELECT COALESCE(MAX(n), 0) FROM ticks WHERE server = @@server_uuid";
        var before = one(server, mine);
        Clients.within(
                Duration.ofSeconds(30),
                () -> Optional.of(unchecked(server, mine)).filter(now -> !now.equals(before)),
                "an event has run on " + server.identity());
    }

    private static void becomes(LocalMysqld server, String question, String answer) {
        Clients.within(
                Duration.ofSeconds(30),
                () -> Optional.of(unchecked(server, question)).filter(answer::equals),
                question + " is " + answer);
    }

    private static String unchecked(LocalMysqld server, String question) {
        try {
            return one(server, question);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void triggersThatReachBeyondTheirShardAreRefused() throws SQLException {
        run(
                cluster.source(),
                UNSEEN,
                "CREATE TRIGGER to_notes AFTER DELETE ON t FOR EACH ROW DELETE FROM notes WHERE id = OLD.v",
                "CREATE TRIGGER by_call AFTER DELETE ON t FOR EACH ROW BEGIN CALL fill(1, @x); END",
                "CREATE TRIGGER moves BEFORE UPDATE ON seen FOR EACH ROW SET NEW.writes = 1, NEW.`id` = NEW.id + 1",
                "CREATE TRIGGER from_notes AFTER DELETE ON notes FOR EACH ROW DELETE FROM t WHERE id = OLD.id",
                "CREATE TRIGGER fine AFTER DELETE ON notes FOR EACH ROW DELETE FROM counted WHERE id = OLD.id");
        try (var connection = cluster.source().connect(TestServers.OPERATOR)) {
            assertThat(Movability.problems(
                            connection,
                            "chat",
                            KeyRange.parse("-"),
                            cluster.store.topology().vschema()))
                    .hasSize(4)
                    .anyMatch(problem -> problem.startsWith("trigger to_notes on table t names notes, which is on"))
                    .anyMatch(problem -> problem.startsWith("trigger by_call on table t names fill, which is on"))
                    .anyMatch(problem -> problem.startsWith("trigger moves on table seen sets the shard key id"))
                    .anyMatch(problem ->
                            problem.startsWith("trigger from_notes on table notes names the sharded table t"));
        } finally {
            for (var trigger : List.of("to_notes", "by_call", "moves", "from_notes", "fine")) {
                run(cluster.source(), UNSEEN, "DROP TRIGGER " + trigger);
            }
        }
    }

    @Test
    void whatNamesAShardedTableIsRefused() throws SQLException {
        run(
                cluster.source(),
                UNSEEN,
                "CREATE VIEW crossing AS SELECT x.id FROM notes JOIN t AS x USING (id)",
                "CREATE EVENT expire ON SCHEDULE EVERY 1 DAY DO DELETE FROM t",
                "CREATE PROCEDURE tidy() /* t */ DELETE FROM notes",
                "CREATE PROCEDURE hidden() BEGIN PREPARE s FROM 'DELETE FROM `t`'; EXECUTE s; END");
        try (var connection = cluster.source().connect(TestServers.OPERATOR)) {
            var vschema = cluster.store.topology().vschema();
            assertThat(Movability.problems(connection, "chat", KeyRange.parse("-"), vschema))
                    .hasSize(3)
                    .anyMatch(problem -> problem.startsWith("event expire names the sharded table t"))
                    .anyMatch(problem -> problem.startsWith("view crossing names the sharded table t"))
                    .anyMatch(problem -> problem.startsWith("procedure hidden names the sharded table t"));
            assertThat(Movability.problems(connection, "chat", KeyRange.parse("80-"), vschema))
                    .anyMatch(problem -> problem.startsWith("procedure tidy may touch tables"))
                    .noneMatch(problem -> problem.contains("joined"));
        } finally {
            run(
                    cluster.source(),
                    UNSEEN,
                    "DROP VIEW crossing",
                    "DROP EVENT expire",
                    "DROP PROCEDURE tidy",
                    "DROP PROCEDURE hidden");
        }
    }

    private WorkflowReport await(WorkflowEngine engine, String reason) {
        return Clients.within(
                Duration.ofSeconds(60),
                () -> Optional.of(cluster.advance(engine, Goal.Switched))
                        .filter(report -> report.reason().equals(reason)),
                reason);
    }
}
