package dev.shardwright.local.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.shardwright.api.VSchema;
import dev.shardwright.local.workload.Violation.Kind;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.ShardState;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.vindex.ShardKeyValue;
import dev.shardwright.topology.vindex.Vindex;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole workload against one plain MySQL server, which loses nothing; then with a row taken away behind its back. */
class WorkloadIT {
    private static final Vindex SPREAD = new Vindex() {
        @Override
        public byte @Nullable [] keyspaceId(List<@Nullable ShardKeyValue> values) {
            return values.getFirst() instanceof ShardKeyValue.Int(BigInteger value)
                    ? ByteBuffer.allocate(8)
                            .putLong(ChatData.mix(value.longValueExact()))
                            .array()
                    : null;
        }

        @Override
        public int columns() {
            return 1;
        }
    };

    @TempDir
    private static Path directory;

    private final LocalMysqld server = TestServers.start(directory.resolve("server"), "u1", "-");
    private final ChatData data = new ChatData(new ChatShape(2_000, 50, 40, 600, 1_000));
    private final Address address = new Address(
            "127.0.0.1", server.port(), TestServers.APP.user(), TestServers.APP.password(), TestServers.KEYSPACE);

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aServerThatLosesNothingIsClean() throws Exception {
        var history = directory.resolve("history");
        long rows = new Loader(address, data, SPREAD, new Loader.LoadOptions(100, 2)).load(_ -> {});
        assertThat(rows).isEqualTo(2_000 + 2_000 + 600);

        try (var clients = Executors.newFixedThreadPool(2)) {
            var first = clients.submit(() -> client(0, history));
            var second = clients.submit(() -> client(1, history));
            assertRan(first.get());
            assertRan(second.get());
        }

        var report = check(history);
        assertThat(report.examples()).isEmpty();
        assertThat(report.acknowledged()).isPositive();
        assertThat(report.histories()).isEqualTo(8);

        takeAwayARow();
        assertThat(check(history).examples())
                .extracting(Violation::kind, Violation::where, Violation::key)
                .contains(tuple(Kind.LOST, "accounts", "id=7"));
    }

    /** Runs until enough has happened, however slow this machine is. */
    private RunReport client(int number, Path history) throws InterruptedException {
        var options = new RunOptions(number, 2, 2, 2, Duration.ZERO, Duration.ofMinutes(2), null, history);
        var client = new Workload(address, data, SPREAD, options);
        return client.run(progress -> {
            if (progress.writes() > 300 && progress.reads() > 300) {
                client.stop();
            }
        });
    }

    private static void assertRan(RunReport report) {
        assertThat(report.errors()).as(report.toString()).isZero();
        assertThat(report.anomalies()).isZero();
        assertThat(report.statements()).extracting(RunReport.Line::statement).hasSize(StatementKind.values().length);
    }

    private CheckReport check(Path history) throws SQLException {
        var shard = new ShardEntry(
                KeyRange.parse("-"),
                "u1",
                "chat-x-x",
                ShardState.Serving,
                null,
                0,
                new Endpoint("127.0.0.1", server.port()),
                List.of());
        var topology = new Topology(
                Topology.FORMAT,
                TestServers.KEYSPACE,
                1,
                List.of(shard),
                List.of(),
                new VSchema(VSchema.UnlistedTables.FirstShard, List.of(), List.of()));
        Map<ChatTable, Vindex> vindexes =
                ChatTable.all().stream().collect(Collectors.toMap(table -> table, _ -> SPREAD));
        return new ShardCheck(data, topology, vindexes, address).check(history, address);
    }

    private void takeAwayARow() throws SQLException {
        try (var connection = server.connect(TestServers.APP);
                var statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM chat.accounts WHERE id = 7");
        }
    }
}
