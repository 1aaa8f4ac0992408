package dev.shardwright.router;

import static dev.shardwright.router.TestKeyspace.run;
import static dev.shardwright.router.TestKeyspace.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mysql.cj.jdbc.JdbcConnection;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.ShardState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two clients and one connection to the server: a session keeps it for as long as it has something there, and no longer. */
class PinningIT {
    private static TestKeyspace keyspace;
    private static ExecutorService threads;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of(
                config -> config.withEventLoops(1)
                        .withBackends(RouterConfig.backends(1, Duration.ofSeconds(60), Duration.ofSeconds(60))),
                "-");
        threads = Executors.newCachedThreadPool();
        keyspace.admin(0, "CREATE TABLE chat.notes (id INT PRIMARY KEY)");
        keyspace.admin(0, "INSERT INTO chat.notes VALUES (1), (2)");
        keyspace.admin(0, "CREATE PROCEDURE chat.secretly() CREATE TEMPORARY TABLE hidden (a INT)");
    }

    @AfterAll
    static void stop() throws Exception {
        threads.shutdownNow();
        keyspace.close();
    }

    /** Statements apart by semicolons; of those that take it all away only the last one does. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LOCK TABLES notes WRITE | UNLOCK TABLES",
                "LOCK TABLES notes WRITE | BEGIN",
                "LOCK TABLES notes WRITE | START TRANSACTION WITH CONSISTENT SNAPSHOT; COMMIT",
                "LOCK TABLES notes WRITE; LOCK TABLES notes READ | SELECT 5; UNLOCK TABLES",
                "SELECT GET_LOCK('a', 0) | SELECT RELEASE_LOCK('A') AS gone",
                "SELECT GET_LOCK('a', 0); SELECT GET_LOCK('b', 0) | SELECT RELEASE_LOCK('c'); SELECT RELEASE_LOCK('b');"
                        + " SELECT RELEASE_LOCK('b'); SELECT RELEASE_LOCK('a')",
                "SELECT GET_LOCK('a', 0); SELECT GET_LOCK('a', 0) | SELECT RELEASE_LOCK('a'); SELECT RELEASE_LOCK('a')",
                "DO GET_LOCK('a', 0) | SELECT RELEASE_LOCK('a'); SELECT RELEASE_ALL_LOCKS()",
                "SELECT id, GET_LOCK(id, 0) FROM notes | SELECT RELEASE_LOCK('1'); SELECT RELEASE_LOCK('2');"
                        + " DO RELEASE_ALL_LOCKS()",
                "CREATE TEMPORARY TABLE t (a INT) | INSERT INTO t VALUES (1); DROP TEMPORARY TABLE t",
                "CREATE TEMPORARY TABLE t (a INT); CREATE TEMPORARY TABLE chat.u LIKE notes;"
                        + " CREATE TEMPORARY TABLE aside.t SELECT * FROM notes"
                        + " | DROP TABLE t; DROP TEMPORARY TABLE IF EXISTS nowhere, u; DROP TABLE aside.t",
                "XA START 'x' | SELECT 1; XA END 'x'; XA ROLLBACK 'x'",
                "SELECT SQL_CALC_FOUND_ROWS id FROM notes LIMIT 1 | SELECT FOUND_ROWS()",
            })
    void isKeptUntilNothingIsLeft(String leaving, String taking) throws Exception {
        try (var one = keyspace.connect();
                var other = keyspace.connect()) {
            for (var sql : leaving.split(";")) {
                run(one, sql);
            }
            var answer = whenFree(other, "SELECT 1");
            var steps = taking.split(";");
            for (int i = 0; i < steps.length; i++) {
                assertThat(answer).as("before " + steps[i]).isNotDone();
                run(one, steps[i]);
            }
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("1");
            assertThat(text(one, "SELECT 2")).isEqualTo("2");
            assertThat(keyspace.number(
                            0,
                            "SELECT COUNT(*) FROM performance_schema.metadata_locks"
                                    + " WHERE object_type = 'USER LEVEL LOCK' OR lock_type LIKE 'SHARED_NO%'"))
                    .isZero();
        }
    }

    /** What can't be known to be gone is there until the client resets its connection. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TEMPORARY TABLE t (a INT); ALTER TABLE t RENAME TO u; DROP TEMPORARY TABLE IF EXISTS t | u",
                "CALL secretly(); DROP TEMPORARY TABLE IF EXISTS t; UNLOCK TABLES; DO RELEASE_ALL_LOCKS() | hidden",
                "USE aside; CREATE TEMPORARY TABLE t (a INT); USE chat; DROP TABLE IF EXISTS t | aside.t",
            })
    void isKeptInDoubt(String leaving, String table) throws Exception {
        try (var one = keyspace.connect();
                var other = keyspace.connect()) {
            for (var sql : leaving.split(";")) {
                run(one, sql);
            }
            var answer = whenFree(other, "SELECT 1");
            assertThat(text(one, "SELECT COUNT(*) FROM " + table)).isEqualTo("0");
            assertThat(answer).isNotDone();
            one.unwrap(JdbcConnection.class).resetServerState();
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("1");
            for (var client : new Connection[] {other, one}) {
                assertThat(error(client, "SELECT COUNT(*) FROM " + table)).isEqualTo(1146);
            }
        }
    }

    @Test
    void preparedStatementsTellOfLocksToo() throws Exception {
        try (var one = keyspace.connect("useServerPrepStmts", "true");
                var other = keyspace.connect();
                var take = one.prepareStatement("SELECT GET_LOCK(?, 0)");
                var release = one.prepareStatement("SELECT RELEASE_LOCK(?)")) {
            take.setString(1, "a");
            release.setString(1, "a");
            take.executeQuery().close();
            take.executeQuery().close();
            var answer = whenFree(other, "SELECT 1");
            release.executeQuery().close();
            assertThat(answer).isNotDone();
            release.executeQuery().close();
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("1");
            release.executeQuery().close();
        }
    }

    @Test
    void severalStatementsInOneText() throws Exception {
        try (var one = keyspace.connect("allowMultiQueries", "true");
                var other = keyspace.connect()) {
            run(one, "SELECT 1; SELECT GET_LOCK('a', 0); SELECT 2");
            var answer = whenFree(other, "SELECT 1");
            run(one, "SELECT 1; SELECT RELEASE_LOCK('a'); SELECT 2");
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("1");
        }
    }

    @Test
    void aLockThatWasNotTakenKeepsNothing() throws Exception {
        try (var holder = keyspace.server(0).connect(TestServers.OPERATOR);
                var one = keyspace.connect();
                var other = keyspace.connect()) {
            run(holder, "SELECT GET_LOCK('taken', 0)");
            assertThat(text(one, "SELECT GET_LOCK('taken', 0)")).isEqualTo("0");
            assertThat(text(one, "SELECT RELEASE_LOCK('taken')")).isEqualTo("0");
            assertThat(text(other, "SELECT 1")).isEqualTo("1");
            assertThat(text(one, "SELECT RELEASE_LOCK('nobody''s')")).isNull();
            assertThat(text(other, "SELECT IS_FREE_LOCK('taken')")).isEqualTo("0");
            assertThat(text(one, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void beginReleasesTableLocksAtOnce() throws Exception {
        try (var one = keyspace.connect()) {
            run(one, "LOCK TABLES notes WRITE");
            run(one, "BEGIN");
            keyspace.admin(0, "INSERT INTO chat.notes VALUES (10)");
            assertThat(text(one, "SELECT COUNT(*) FROM notes WHERE id = 10")).isEqualTo("1");
            run(one, "ROLLBACK");
            keyspace.admin(0, "DELETE FROM chat.notes WHERE id = 10");
        }
    }

    @Test
    void temporaryTablesCommitNothing() throws Exception {
        try (var one = keyspace.connect()) {
            run(one, "BEGIN");
            run(one, "INSERT INTO notes VALUES (20)");
            run(one, "CREATE TEMPORARY TABLE t (a INT)");
            run(one, "DROP TEMPORARY TABLE t");
            run(one, "ROLLBACK");
            assertThat(text(one, "SELECT COUNT(*) FROM notes WHERE id = 20")).isEqualTo("0");
        }
    }

    /** As at a switchover: the server's connections close. */
    @Test
    void onlyWhatIsThereIsLostWithItsServer() throws Exception {
        try (var one = keyspace.connect();
                var other = keyspace.connect()) {
            for (var sql : new String[] {
                "CREATE TEMPORARY TABLE t (a INT)", "LOCK TABLES notes READ", "UNLOCK TABLES", "DROP TEMPORARY TABLE t"
            }) {
                run(one, sql);
            }
            run(other, "CREATE TEMPORARY TABLE t (a INT)");
            var shard = keyspace.store().topology().shards().getFirst();
            keyspace.publish(shard, ShardState.Fenced);
            keyspace.publish(shard, ShardState.Serving);
            assertThat(text(one, "SELECT 1")).isEqualTo("1");
            assertThatThrownBy(() -> text(other, "SELECT 1"))
                    .hasMessageContaining("session state that can't be made again (temporary tables");
            assertThat(other.isValid(5)).isFalse();
        }
    }

    /** Runs it as soon as there is a connection; returns once it waits for one. */
    private static Future<String> whenFree(Connection client, String sql) {
        Callable<String> call = () -> text(client, sql);
        var answer = threads.submit(call);
        await().until(() -> keyspace.metric("backend_waiting") == 1);
        return answer;
    }

    private static int error(Connection connection, String sql) {
        try {
            text(connection, sql);
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }
}
