package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connections to several shards ready, and hands them over in one piece: the statement is sent
 * to all of them in the same task of the loop and so under one epoch, or it starts over.
 */
final class BackendGroup {

    /** Called once, unless the execution starts over or has failed. */
    interface Callback {
        /** In the order of the shards. */
        void ready(List<SessionBackend> backends);
    }

    private final Execution execution;
    private final List<ShardEntry> shards;
    private final @Nullable SessionBackend[] backends;
    private final Callback callback;
    private final Readying.Needs needs;
    private final List<Integer> order;
    private int claimed;
    private int missing;
    private @Nullable Runnable onFailure;

    private BackendGroup(Execution execution, List<ShardEntry> shards, Readying.Needs needs, Callback callback) {
        this.execution = execution;
        this.shards = shards;
        this.backends = new SessionBackend[shards.size()];
        this.callback = callback;
        this.needs = needs;
        this.missing = shards.size();
        this.order = IntStream.range(0, shards.size())
                .boxed()
                .sorted(Comparator.comparing(index -> shards.get(index).uid()))
                .toList();
    }

    static void ready(Execution execution, List<ShardEntry> shards, Readying.Needs needs, Callback callback) {
        new BackendGroup(execution, shards, needs, callback).claimNext();
    }

    /**
     * Claims are made in the order of the shards' ids, each once the one before has its place: so two groups never wait
     * for what the other has.
     */
    private void claimNext() {
        if (claimed < order.size() && onFailure == null) {
            int index = order.get(claimed++);
            Readying.start(execution.runner, shards.get(index), needs, new Member(index));
        }
    }

    private void memberDone() {
        if (--missing > (onFailure == null ? 0 : order.size() - claimed) || execution.runner.isGone()) {
            return;
        }
        if (onFailure == null) {
            start();
        } else {
            onFailure.run();
        }
    }

    private void start() {
        var view = execution.runner.loop().view();
        boolean sameEpoch = view != null && shards.stream().allMatch(view::serves);
        var ready = new ArrayList<SessionBackend>();
        Arrays.stream(backends).forEach(backend -> {
            if (backend != null && backend.connection().isOpen()) {
                ready.add(backend);
            }
        });
        if (sameEpoch && ready.size() == shards.size()) {
            callback.ready(ready);
        } else {
            ready.stream()
                    .filter(SessionBackend::isRetired)
                    .forEach(backend -> backend.connection().close());
            execution.attempt();
        }
    }

    private final class Member implements Readying.Callback {
        private final int index;

        Member(int index) {
            this.index = index;
        }

        @Override
        public void reserved() {
            claimNext();
        }

        @Override
        public void ready(SessionBackend backend) {
            backends[index] = backend;
            memberDone();
        }

        @Override
        public void refused(ErrPacket error) {
            fail(() -> execution.runner.error(error));
        }

        @Override
        public void unavailable(ErrPacket error) {
            fail(() -> execution.retryLater(error));
        }

        /** The first failure decides, but only when no other connection is still being made ready. */
        private void fail(Runnable answer) {
            if (onFailure == null) {
                onFailure = answer;
            }
            memberDone();
        }
    }
}
