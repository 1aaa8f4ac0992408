package dev.shardwright.mysql.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.admin.Identity;
import dev.shardwright.testing.TestServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The init container's script, run by a real shell with a real mysqld; the volume is a directory of the test. */
class InitScriptIT {
    @TempDir
    Path directory;

    private Path volume;

    @BeforeEach
    void mount() throws IOException {
        volume = Files.createDirectory(directory.resolve("server"));
        Files.createDirectory(volume.resolve("tmp"));
        Files.writeString(
                directory.resolve("my.cnf"),
                ServerSettings.myCnf(ServerPlace.local(volume, 1), "u1", List.of())
                        .replaceAll("(?m)^log_error.*$", ""));
        Files.writeString(
                directory.resolve("init.sql"),
                TestServers.bootstrap(true).sql(new Identity(TestServers.KEYSPACE, "u1", "-")));
    }

    @Test
    void makesTheServerOnceAndKnowsItAgain() throws Exception {
        // What a run leaves that was killed in the middle.
        Files.createDirectories(volume.resolve("data.new").resolve("mysql"));

        assertThat(run("u1")).satisfies(first -> {
            assertThat(first.exitCode).as(first.output).isZero();
            assertThat(first.output).contains("making the data directory of shard u1");
        });
        assertThat(run("u1")).satisfies(again -> {
            assertThat(again.exitCode).isZero();
            assertThat(again.output).contains("data directory of shard u1 is there");
        });
        assertThat(run("u2")).satisfies(other -> {
            assertThat(other.exitCode).isEqualTo(1);
            assertThat(other.output).contains("holds shard u1, but this pod is shard u2");
        });
        assertServes();
    }

    @Test
    void aBootstrapThatFailsLeavesNothingThatPassesForAServer() throws Exception {
        Files.writeString(directory.resolve("init.sql"), "CREATE NONSENSE;\n");

        assertThat(run("u1").exitCode).isNotZero();
        assertThat(volume.resolve("data")).doesNotExist();
    }

    private void assertServes() throws SQLException {
        try (var server = TestServers.start(volume, "u1", "-", true);
                var operator = server.connect(TestServers.OPERATOR);
                var statement = operator.createStatement();
                var row = statement.executeQuery("SELECT @@offline_mode, @@GLOBAL.gtid_executed")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isEqualTo("1");
            assertThat(row.getString(2)).isEmpty();
        }
    }

    private record Run(int exitCode, String output) {}

    private Run run(String uid) throws IOException, InterruptedException {
        var script = InitScript.text(
                        directory.resolve("my.cnf").toString(),
                        directory.resolve("init.sql").toString(),
                        uid)
                .replace(ServerPlace.POD_VOLUME, volume.toString())
                .replace("mysqld --", "mysqld $AS_ROOT --");
        // mysqld wants its defaults file first, and root must be named.
        script = script.replaceAll("mysqld \\$AS_ROOT (--defaults-file=\\S+)", "mysqld $1 \\$AS_ROOT");
        var builder = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true);
        var mysqld = MysqlHome.find().mysqld();
        builder.environment().put("PATH", mysqld.getParent() + ":" + System.getenv("PATH"));
        builder.environment().put("AS_ROOT", "root".equals(System.getProperty("user.name")) ? "--user=root" : "");
        var output = directory.resolve("output").toFile();
        var process = builder.redirectOutput(output).start();
        assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), Files.readString(output.toPath(), StandardCharsets.UTF_8));
    }
}
