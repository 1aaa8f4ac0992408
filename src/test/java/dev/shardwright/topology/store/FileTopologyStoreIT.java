package dev.shardwright.topology.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.shardwright.topology.Topologies;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.store.TopologyStore.Watcher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileTopologyStoreIT extends TopologyStoreContract {

    @TempDir
    Path directory;

    @Override
    TopologyStore open() {
        return new FileTopologyStore(file(), "chat");
    }

    private Path file() {
        return directory.resolve("topology.json");
    }

    private Path log() {
        return directory.resolve("topology.json.log");
    }

    /** As one puts an older document back: without what was written after it. */
    @Override
    void overwrite(String text) throws IOException {
        Files.deleteIfExists(log());
        Files.writeString(file(), text);
    }

    @Override
    void delete() throws IOException {
        Files.delete(file());
    }

    /** What a crash of the machine leaves of a file that had not reached its disk. */
    @ParameterizedTest
    @ValueSource(strings = {"the one before", "", "\0\0\0\0"})
    void aWriteOutlivesACrashOfTheMachine(String left) throws Exception {
        try (var store = open()) {
            store.create(Topologies.of(1, "-"));
            var before = next(store, 2);
            next(store, 1);
            Files.writeString(file(), left.equals("the one before") ? before : left);
        }

        var epochs = new CopyOnWriteArrayList<Long>();
        var complaints = new CopyOnWriteArrayList<String>();
        try (var store = open()) {
            store.watch(Watcher.of(topology -> epochs.add(topology.epoch()), complaints::add));
            await().atMost(PATIENCE).until(() -> epochs.equals(List.of(4L)));
            assertThat(store.read().orElseThrow().topology().epoch()).isEqualTo(4);
            assertThat(FileTopologyStore.look(file()).orElseThrow().epoch()).isEqualTo(4);

            next(store, 1);
            assertThat(TopologyJson.read(Files.readString(file())).epoch()).isEqualTo(5);
            await().atMost(PATIENCE).until(() -> epochs.equals(List.of(4L, 5L)));
            assertThat(complaints).isEmpty();
        }
    }

    /** The crash came while the log was being written, so nobody was told that the change is made. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8, 12, 20, 200})
    void ofAWriteThatWasCutOffNothingIsLeft(int damaged) throws Exception {
        try (var store = open()) {
            store.create(Topologies.of(1, "-"));
            var before = next(store, 1);
            next(store, 1);
            // The third document is in the slot of the first.
            try (var channel = FileChannel.open(log(), StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[] {0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55}), damaged);
            }
            Files.writeString(file(), before);

            assertThat(store.read().orElseThrow().topology().epoch()).isEqualTo(2);
            next(store, 1);
            Files.writeString(file(), before);
            assertThat(store.read().orElseThrow().topology().epoch()).isEqualTo(3);
        }
    }

    @Test
    void theLogGrowsWithTheDocument() throws Exception {
        try (var store = open()) {
            store.create(Topologies.of(1, "-"));
            long small = Files.size(log());
            var read = store.read().orElseThrow();
            var large =
                    withReplicas(read.topology(), Collections.nCopies(5_000, new Endpoint("replica.example", 3306)));
            assertThat(store.compareAndSet(read, large)).isTrue();
            var before = Files.readString(file());
            next(store, 1);
            assertThat(Files.size(log())).isGreaterThan(small);

            Files.writeString(file(), before);
            assertThat(store.read().orElseThrow().topology()).isEqualTo(Topologies.next(large));
        }
    }

    @Test
    void theLogOfAnEarlierFileDoesNotCount() throws Exception {
        try (var store = open()) {
            store.create(Topologies.of(1, "-"));
            next(store, 5);
            delete();
            assertThat(store.read()).isEmpty();

            assertThat(store.create(Topologies.of(1, "-80", "80-"))).isTrue();
            assertThat(store.read().orElseThrow().topology()).isEqualTo(Topologies.of(1, "-80", "80-"));
        }
    }

    /** A keyspace of an earlier version has none. */
    @Test
    void aFileWithoutALogGetsOneWithItsNextChange() throws Exception {
        try (var store = open()) {
            overwrite(TopologyJson.write(Topologies.of(7, "-")));
            var before = Files.readString(file());
            next(store, 1);

            Files.writeString(file(), before);
            assertThat(store.read().orElseThrow().topology().epoch()).isEqualTo(8);
        }
    }

    /** The text of the last of so many changes. */
    private String next(TopologyStore store, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            var read = store.read().orElseThrow();
            assertThat(store.compareAndSet(read, Topologies.next(read.topology())))
                    .isTrue();
        }
        return Files.readString(file());
    }
}
