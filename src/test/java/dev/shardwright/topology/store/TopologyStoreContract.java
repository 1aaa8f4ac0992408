package dev.shardwright.topology.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.shardwright.topology.Topologies;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.TopologyRules;
import dev.shardwright.topology.store.TopologyStore.Versioned;
import dev.shardwright.topology.store.TopologyStore.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every topology store promises, tried on the real thing. */
abstract class TopologyStoreContract {
    private static final int WRITERS = 16;
    private static final int WRITES_EACH = 4;
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<TopologyStore> stores = new ArrayList<>();
    private TopologyStore store;

    /** Another store of the same, at first empty, place; as another process would have it. */
    abstract TopologyStore open() throws Exception;

    /** Puts this text where the document is, past the store. */
    abstract void overwrite(String text) throws Exception;

    /** Removes the document, past the store. */
    abstract void delete() throws Exception;

    @BeforeEach
    void openOne() throws Exception {
        store = another();
    }

    @AfterEach
    void closeAll() {
        stores.forEach(TopologyStore::close);
    }

    private TopologyStore another() throws Exception {
        var opened = open();
        stores.add(opened);
        return opened;
    }

    @Test
    void beginsEmptyAndIsCreatedOnce() {
        assertThat(store.read()).isEmpty();
        assertThat(store.create(Topologies.of(1, "-"))).isTrue();
        assertThat(store.create(Topologies.of(1, "-80", "80-"))).isFalse();
        assertThat(now()).isEqualTo(Topologies.of(1, "-"));
    }

    @Test
    void aWriteWinsOnlyOnTheDocumentThatItWasMadeFor() {
        store.create(Topologies.of(1, "-"));
        var read = store.read().orElseThrow();

        assertThat(store.compareAndSet(read, Topologies.next(read.topology()))).isTrue();
        assertThat(store.compareAndSet(read, Topologies.next(read.topology()))).isFalse();
        assertThat(now().epoch()).isEqualTo(2);
    }

    @Test
    void aRehearsalChangesNothing() {
        store.create(Topologies.of(1, "-"));
        var read = store.read().orElseThrow();

        store.rehearse(read, Topologies.next(read.topology()));
        assertThatThrownBy(() -> store.rehearse(read, Topologies.of(3, "-"))).hasMessageContaining("epoch");
        assertThat(store.read()).contains(read);
        assertThat(store.compareAndSet(read, Topologies.next(read.topology()))).isTrue();
        // Somebody was quicker: the change itself will find that out.
        store.rehearse(read, Topologies.next(read.topology()));
        assertThat(now().epoch()).isEqualTo(2);
    }

    @Test
    void aWriteOnADeletedDocumentDoesNotWin() throws Exception {
        store.create(Topologies.of(1, "-"));
        var read = store.read().orElseThrow();
        delete();

        assertThat(store.compareAndSet(read, Topologies.next(read.topology()))).isFalse();
        assertThat(store.read()).isEmpty();
    }

    @Test
    void whatMustNotBeWrittenIsRefused() {
        assertThatThrownBy(() -> store.create(Topologies.of(1, "-80"))).hasMessageContaining("leaves out the end");
        store.create(Topologies.of(1, "-"));
        var read = store.read().orElseThrow();
        assertThatThrownBy(() -> store.compareAndSet(read, Topologies.of(2, "-80", "80-")))
                .hasMessageContaining("can only come in");
        assertThatThrownBy(() -> store.compareAndSet(read, Topologies.of(3, "-")))
                .hasMessageContaining("epoch");
        assertThat(now().epoch()).isEqualTo(1);
    }

    @Test
    void sixteenWritersLoseNoUpdateAndNoReaderSeesHalfOfOne() throws Exception {
        store.create(Topologies.of(1, "-"));
        var done = new AtomicBoolean();
        try (var pool = Executors.newCachedThreadPool()) {
            var reader = pool.submit(() -> readUntil(done, another()));
            var writers = pool.invokeAll(IntStream.range(0, WRITERS)
                    .<Callable<Void>>mapToObj(writer -> () -> write(writer, another()))
                    .toList());
            for (var writer : writers) {
                writer.get();
            }
            done.set(true);
            assertThat(reader.get()).isPositive();
        }
        assertThat(now().epoch()).isEqualTo(1 + WRITERS * WRITES_EACH);
        assertThat(now().shards().getFirst().replicas().stream()
                        .map(Endpoint::host)
                        .collect(Collectors.groupingBy(host -> host, Collectors.counting())))
                .hasSize(WRITERS)
                .allSatisfy((host, count) -> assertThat(count).isEqualTo(WRITES_EACH));
    }

    private Void write(int writer, TopologyStore own) {
        for (int i = 0; i < WRITES_EACH; i++) {
            Versioned read;
            do {
                read = own.read().orElseThrow();
            } while (!own.compareAndSet(read, withReplica(read.topology(), new Endpoint("writer-" + writer, 1 + i))));
        }
        return null;
    }

    private static int readUntil(AtomicBoolean done, TopologyStore own) {
        int reads = 0;
        long epoch = 0;
        while (!done.get()) {
            var topology = own.read().orElseThrow().topology();
            assertThat(TopologyRules.problems(topology)).isEmpty();
            assertThat(topology.epoch()).isGreaterThanOrEqualTo(epoch);
            assertThat(topology.shards().getFirst().replicas()).hasSize((int) topology.epoch() - 1);
            epoch = topology.epoch();
            reads++;
        }
        return reads;
    }

    @Test
    void aWatcherSeesTheDocumentThatIsThereAndEachLastOne() throws Exception {
        store.create(Topologies.of(1, "-"));
        var seen = new Recorder();
        another().watch(seen);

        await().atMost(PATIENCE).until(() -> seen.epochs().contains(1L));
        for (int i = 0; i < 20; i++) {
            var read = store.read().orElseThrow();
            assertThat(store.compareAndSet(read, Topologies.next(read.topology())))
                    .isTrue();
        }
        await().atMost(PATIENCE).until(() -> seen.epochs().getLast() == 21L);
        assertThat(seen.epochs()).isSorted().doesNotHaveDuplicates();
        assertThat(seen.invalid).isEmpty();
    }

    @Test
    void aWatcherOfNothingSeesTheFirstDocument() throws Exception {
        var seen = new Recorder();
        another().watch(seen);
        store.create(Topologies.of(5, "-"));

        await().atMost(PATIENCE).until(() -> seen.epochs().equals(List.of(5L)));
        assertThat(seen.invalid).isEmpty();
    }

    @Test
    void nonsenseIsReportedAndTheLastGoodDocumentStays() throws Exception {
        store.create(Topologies.of(3, "-"));
        var seen = new Recorder();
        another().watch(seen);
        await().atMost(PATIENCE).until(() -> seen.epochs().contains(3L));

        expectComplaint(seen, "nonsense", "not a topology document");
        assertThatThrownBy(() -> store.read()).isInstanceOf(TopologyStoreException.class);
        expectComplaint(seen, TopologyJson.write(Topologies.of(3, "-80", "80-")), "epoch 3 with other content");
        expectComplaint(seen, TopologyJson.write(Topologies.of(2, "-")), "epoch 3 is in force already");
        expectComplaint(
                seen, TopologyJson.write(Topologies.of(4, "-")).replace("\"chat\"", "\"shop\""), "keyspace shop");
        expectComplaint(
                seen, TopologyJson.write(Topologies.of(4, "-")).replace("\"-\"", "\"-80\""), "leaves out the end");
        delete();
        await().atMost(PATIENCE).until(() -> seen.invalid.getLast().contains("has been deleted"));
        assertThat(seen.epochs()).containsExactly(3L);

        assertThat(store.create(Topologies.of(4, "-"))).isTrue();
        await().atMost(PATIENCE).until(() -> seen.epochs().getLast() == 4L);
    }

    private void expectComplaint(Recorder seen, String text, String complaint) throws Exception {
        overwrite(text);
        await().atMost(PATIENCE).until(() -> seen.invalid.stream().anyMatch(reason -> reason.contains(complaint)));
    }

    @Test
    void aClosedSubscriptionHearsNothing() throws Exception {
        store.create(Topologies.of(1, "-"));
        var closed = new Recorder();
        var open = new Recorder();
        var watching = another();
        var subscription = watching.watch(closed);
        watching.watch(open);
        await().atMost(PATIENCE)
                .until(() -> closed.epochs().contains(1L) && open.epochs().contains(1L));
        subscription.close();

        var read = store.read().orElseThrow();
        store.compareAndSet(read, Topologies.next(read.topology()));
        await().atMost(PATIENCE).until(() -> open.epochs().contains(2L));
        assertThat(closed.epochs()).containsExactly(1L);
    }

    @Test
    void aWatcherThatFailsGoesOnHearing() throws Exception {
        store.create(Topologies.of(1, "-"));
        var epochs = new CopyOnWriteArrayList<Long>();
        another()
                .watch(Watcher.of(
                        topology -> {
                            epochs.add(topology.epoch());
                            throw new IllegalStateException("a watcher's own mistake");
                        },
                        reason -> {}));
        await().atMost(PATIENCE).until(() -> epochs.contains(1L));
        var read = store.read().orElseThrow();
        store.compareAndSet(read, Topologies.next(read.topology()));

        await().atMost(PATIENCE).until(() -> epochs.contains(2L));
    }

    private Topology now() {
        return store.read().orElseThrow().topology();
    }

    /** One more replica, so that every write leaves its own trace. */
    private static Topology withReplica(Topology topology, Endpoint replica) {
        return withReplicas(topology, List.of(replica));
    }

    /** The next topology, with more replicas. */
    static Topology withReplicas(Topology topology, List<Endpoint> more) {
        return Topologies.withShard(Topologies.next(topology), "-", shard -> {
            var replicas = new ArrayList<>(shard.replicas());
            replicas.addAll(more);
            return new ShardEntry(
                    shard.range(),
                    shard.uid(),
                    shard.name(),
                    shard.state(),
                    shard.by(),
                    shard.attempt(),
                    shard.primary(),
                    replicas);
        });
    }

    private static final class Recorder implements Watcher {
        private final List<Long> epochs = new CopyOnWriteArrayList<>();
        private final List<String> invalid = new CopyOnWriteArrayList<>();

        @Override
        public void onTopology(Topology topology) {
            epochs.add(topology.epoch());
        }

        @Override
        public void onInvalid(String reason) {
            invalid.add(reason);
        }

        List<Long> epochs() {
            return List.copyOf(epochs);
        }
    }
}
