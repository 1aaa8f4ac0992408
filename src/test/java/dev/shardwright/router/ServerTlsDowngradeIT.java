package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.testing.TestAuthority;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is no server with TLS learns nothing of a router that insists on it. */
class ServerTlsDowngradeIT {
    private static final int OFFERED =
            Capability.SHARED | Capability.SECURE_CONNECTION | Capability.PLUGIN_AUTH | Capability.CONNECT_WITH_DB;
    private static final int TLS_REQUEST = 36;
    private static final int TLS_HANDSHAKE = 22;
    /** An OK packet, as if the login were done. */
    private static final byte[] OK = {7, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0};

    @TempDir
    Path directory;

    @Test
    void nothingIsSentToAServerThatOffersNoTls() throws Exception {
        try (var server = new RecordingServer(OFFERED, OK, false)) {
            refused(server, "offers no TLS");
            assertThat(server.received())
                    .isNotEmpty()
                    .allSatisfy(bytes -> assertThat(bytes).isEmpty());
        }
    }

    @Test
    void anAnswerInTheClearIsNotTaken() throws Exception {
        try (var server = new RecordingServer(OFFERED | Capability.SSL, OK, false)) {
            refused(server, "TLS");
            assertThat(server.received()).isNotEmpty().allSatisfy(ServerTlsDowngradeIT::tellsNothing);
        }
    }

    @Test
    void whatComesWithTheGreetingIsNotTaken() throws Exception {
        try (var server = new RecordingServer(OFFERED | Capability.SSL, OK, true)) {
            refused(server, "unencrypted");
            assertThat(server.received()).isNotEmpty().allSatisfy(ServerTlsDowngradeIT::tellsNothing);
        }
    }

    @Test
    void aPartOfAPacketThatComesWithTheGreetingIsNotTaken() throws Exception {
        try (var server = new RecordingServer(OFFERED | Capability.SSL, new byte[] {7, 0, 0}, true)) {
            refused(server, "unencrypted");
            assertThat(server.received()).isNotEmpty().allSatisfy(ServerTlsDowngradeIT::tellsNothing);
        }
    }

    private static void tellsNothing(byte[] bytes) {
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).doesNotContain("app");
        if (bytes.length > TLS_REQUEST) {
            assertThat(bytes[TLS_REQUEST]).isEqualTo((byte) TLS_HANDSHAKE);
        }
    }

    private void refused(RecordingServer server, String why) throws Exception {
        var authority = TestAuthority.make(directory, "authority");
        Files.writeString(directory.resolve("ca.crt"), authority.certificate());
        var users = Files.writeString(directory.resolve("users.json"), "{\"app\": \"app-secret\"}");
        var config = RouterConfig.onLoopback(TestServers.KEYSPACE, users)
                .withServerTls(new RouterConfig.ServerTls(directory, null))
                .withBuffer(Duration.ofSeconds(1), RouterConfig.BUFFER_BYTES);
        try (var router = RouterServer.start(config, new MemoryTopologyStore(topology(server.port())))) {
            var url = "jdbc:mysql://127.0.0.1:" + router.mysqlAddress().getPort() + "/" + TestServers.KEYSPACE;
            assertThatThrownBy(() -> DriverManager.getConnection(url, "app", "app-secret"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("can't be reached")
                    .hasMessageContaining(why);
        }
        await().until(() -> !server.received().isEmpty());
    }

    private static Topology topology(int port) {
        var shard = new ShardEntry(
                KeyRange.parse("-"),
                "uid1",
                "chat-x-x",
                ShardState.Serving,
                null,
                0,
                new Endpoint("127.0.0.1", port),
                List.of());
        return new Topology(
                Topology.FORMAT,
                TestServers.KEYSPACE,
                1,
                List.of(shard),
                List.of(),
                new VSchema(null, List.of(), List.of()));
    }
}
