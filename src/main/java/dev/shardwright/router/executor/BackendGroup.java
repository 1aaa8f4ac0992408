package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    private int missing;
    private @Nullable Runnable onFailure;

    private BackendGroup(Execution execution, List<ShardEntry> shards, Callback callback) {
        this.execution = execution;
        this.shards = shards;
        this.backends = new SessionBackend[shards.size()];
        this.callback = callback;
        this.missing = shards.size();
    }

    static void ready(Execution execution, List<ShardEntry> shards, Readying.Needs needs, Callback callback) {
        var group = new BackendGroup(execution, shards, callback);
        for (int i = 0; i < shards.size(); i++) {
            Readying.start(execution.runner, shards.get(i), needs, group.new Member(i));
        }
    }

    private void memberDone() {
        if (--missing > 0 || execution.runner.isGone()) {
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
