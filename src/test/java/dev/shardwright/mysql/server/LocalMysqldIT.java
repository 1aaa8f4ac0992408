package dev.shardwright.mysql.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.mysql.admin.Bootstrap;
import dev.shardwright.mysql.admin.Identity;
import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.mysql.admin.WrongServerException;
import dev.shardwright.testing.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalMysqldIT {

    @TempDir
    Path directory;

    @Test
    void theApplicationUsesItsDatabaseAndNothingElse() throws SQLException {
        try (var server = TestServers.start(directory, "u1", "-");
                var app = server.connect(TestServers.APP)) {
            run(
                    app,
                    "CREATE TABLE chat.t (id BIGINT PRIMARY KEY, v VARCHAR(10))",
                    "INSERT INTO chat.t VALUES (1, 'é')");

            assertThat(one(app, "SELECT v FROM chat.t")).isEqualTo("é");
            assertErrno(1142, () -> run(app, "UPDATE `_shardwright`.identity SET shard_uid = 'x'"));
            assertErrno(1227, () -> run(app, "SET GLOBAL offline_mode = OFF"));
            assertErrno(1045, () -> server.connect(new MysqlAccount("root", "")).close());
        }
    }

    @Test
    void weHaveTheSettingsThatWeCountOn() throws SQLException {
        try (var server = TestServers.start(directory, "u1", "-");
                var operator = server.connect(TestServers.OPERATOR)) {
            assertThat(one(
                            operator,
                            "SELECT CONCAT_WS(',', @@binlog_row_image, @@binlog_row_metadata, @@sync_binlog,"
                                    + " @@innodb_flush_log_at_trx_commit, @@binlog_order_commits, @@gtid_mode,"
                                    + " @@event_scheduler, @@local_infile, @@binlog_format, @@log_bin)"))
                    .isEqualTo("FULL,FULL,1,1,1,ON,OFF,1,ROW,1");
            assertThat(one(operator, "SELECT @@GLOBAL.gtid_executed"))
                    .as("a new server's history begins empty")
                    .isEmpty();
        }
    }

    @Test
    void bornFencedItLetsOnlyUsInUntilItIsOpened() throws SQLException {
        try (var server = TestServers.start(directory, "u1", "-", true)) {
            assertErrno(3032, () -> server.connect(TestServers.APP).close());
            try (var mover = server.connect(TestServers.MOVER)) {
                run(mover, "CREATE TABLE chat.t (id BIGINT PRIMARY KEY)", "INSERT INTO chat.t VALUES (1)");
            }
            server.kill();
            server.restart();
            assertErrno(3032, () -> server.connect(TestServers.APP).close());

            try (var operator = server.connect(TestServers.OPERATOR)) {
                run(operator, "SET PERSIST read_only = OFF", "SET PERSIST offline_mode = OFF");
            }
            server.restart();
            try (var app = server.connect(TestServers.APP)) {
                run(app, "INSERT INTO chat.t VALUES (2)");
                assertThat(one(app, "SELECT COUNT(*) FROM chat.t")).isEqualTo("2");
            }
        }
    }

    @Test
    void aFenceThatIsPutOnLaterSurvivesACrash() throws SQLException {
        try (var server = TestServers.start(directory, "u1", "-")) {
            try (var operator = server.connect(TestServers.OPERATOR)) {
                run(
                        operator,
                        "SET PERSIST offline_mode = ON",
                        "SET PERSIST super_read_only = ON",
                        "SET PERSIST read_only = ON",
                        "SET PERSIST event_scheduler = OFF");
            }
            server.kill();
            server.restart();

            assertErrno(3032, () -> server.connect(TestServers.APP).close());
            try (var mover = server.connect(TestServers.MOVER)) {
                assertErrno(1290, () -> run(mover, "CREATE TABLE chat.t (id BIGINT PRIMARY KEY)"));
            }
            try (var operator = server.connect(TestServers.OPERATOR)) {
                assertThat(one(operator, "SELECT CONCAT(@@offline_mode, @@super_read_only, @@read_only)"))
                        .isEqualTo("111");
                run(operator, "XA RECOVER");
            }
        }
    }

    @Test
    void aPausedServerKeepsItsConnectionsAndGoesOn() throws SQLException {
        try (var server = TestServers.start(directory, "u1", "-");
                var app = server.connect(TestServers.APP)) {
            server.pause();
            app.setNetworkTimeout(Runnable::run, 300);
            server.resume();
            app.setNetworkTimeout(Runnable::run, 20_000);
            assertThat(one(app, "SELECT 1")).isEqualTo("1");
            server.pause();
        }
        // close() of a paused server ends it too
        assertThat(ProcessHandle.allProcesses()
                        .flatMap(p -> p.info().commandLine().stream())
                        .filter(line -> line.contains(directory.toString()) && line.contains("mysqld")))
                .isEmpty();
    }

    @Test
    void itsRowsAndItsPortOutliveIt() throws SQLException {
        int port;
        try (var server = TestServers.start(directory, "u1", "-");
                var app = server.connect(TestServers.APP)) {
            port = server.port();
            run(app, "CREATE TABLE chat.t (id BIGINT PRIMARY KEY)", "INSERT INTO chat.t VALUES (7)");
            server.kill();
        }
        try (var server = TestServers.start(directory, "u1", "-");
                var app = server.connect(TestServers.APP)) {
            assertThat(server.port()).isEqualTo(port);
            assertThat(one(app, "SELECT id FROM chat.t")).isEqualTo("7");
        }
    }

    @Test
    void anotherServerOnItsPortIsNotTakenForIt() throws Exception {
        var other = Files.createDirectory(directory.resolve("other"));
        try (var server = TestServers.start(directory, "u1", "-")) {
            server.kill();
            Files.writeString(other.resolve("port"), String.valueOf(server.port()));
            try (var faster = TestServers.start(other, "u1", "-")) {
                assertThatThrownBy(server::restart)
                        .isInstanceOf(MysqlServerException.class)
                        .hasMessageContaining(
                                "port " + faster.port() + " is that of another server, whose data is in " + other);
            }
        }
    }

    @Test
    void aDirectoryOfAnotherShardIsRefused() throws SQLException {
        try (var server = TestServers.start(directory, "u1", "-");
                var operator = server.connect(TestServers.OPERATOR)) {
            Identity.check(operator, "chat", "u1");
            assertThatThrownBy(() -> Identity.check(operator, "chat", "u2"))
                    .isInstanceOf(WrongServerException.class)
                    .hasMessageContaining("holds shard u1 (-) of keyspace chat, expected shard u2")
                    .hasMessageContaining("127.0.0.1:" + server.port());
            run(operator, "DROP TABLE `_shardwright`.identity");
            assertThatThrownBy(() -> Identity.check(operator, "chat", "u1")).hasMessageContaining("no shard identity");
        }
    }

    @Test
    void startingAnotherShardInADirectoryFailsAndLeavesNothingRunning() {
        TestServers.start(directory, "u1", "-").close();

        assertThatThrownBy(() -> TestServers.start(directory, "u2", "-"))
                .isInstanceOf(MysqlServerException.class)
                .hasMessageContaining("holds shard u1");
    }

    @Test
    void aSettingThatMysqldDoesNotKnowIsShownFromItsLog() {
        var settings = List.of(new Setting("no_such_setting", "1"));
        assertThatThrownBy(() -> LocalMysqld.start(
                        MysqlHome.find(),
                        directory,
                        TestServers.bootstrap(false),
                        new Identity("chat", "u1", "-"),
                        settings))
                .isInstanceOf(MysqlServerException.class)
                .hasMessageContaining("unknown variable 'no_such_setting=1'");
    }

    @Test
    void aFailedBootstrapLeavesNoDataDirectory() {
        var broken = new Bootstrap(
                "chat", TestServers.OPERATOR, TestServers.MOVER, List.of(), false, List.of("CREATE NONSENSE"));
        assertThatThrownBy(() -> LocalMysqld.start(
                        MysqlHome.find(), directory, broken, new Identity("chat", "u1", "-"), List.of()))
                .isInstanceOf(MysqlServerException.class)
                .hasMessageContaining("You have an error in your SQL syntax");
        assertThat(Files.exists(directory.resolve("data"))).isFalse();
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }

    private static void assertErrno(int errno, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getErrorCode()).as(e.getMessage()).isEqualTo(errno));
    }
}
