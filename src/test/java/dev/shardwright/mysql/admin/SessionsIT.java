package dev.shardwright.mysql.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.shardwright.testing.TestServers;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionsIT {
    @TempDir
    private Path directory;

    @Test
    void aStatementWithAFourByteCharacterIsSeen() throws Exception {
        try (var server = TestServers.start(directory.resolve("server"), "u1", "-");
                var client = server.connect(TestServers.APP);
                var admin = ShardAdmin.open(
                        server.host(), server.port(), TestServers.OPERATOR, TestServers.KEYSPACE, "u1", () -> {});
                var threads = Executors.newSingleThreadExecutor()) {
            var running = threads.submit(() -> client.createStatement().execute("SELECT SLEEP(60), '🙂'"));

            await().untilAsserted(() -> assertThat(admin.sessions())
                    .singleElement()
                    .satisfies(session -> assertThat(session.runsRead()).isTrue())
                    .satisfies(session -> assertThat(session.user()).isEqualTo(TestServers.APP.user())));

            admin.kill(admin.sessions().stream().map(ServerSession::id).toList());
            await().until(running::isDone);
        }
    }
}
