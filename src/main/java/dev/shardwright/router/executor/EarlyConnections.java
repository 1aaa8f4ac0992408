package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.protocol.ClientIdentity;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.router.session.StatementKey;
import dev.shardwright.topology.model.ShardEntry;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Set;

/**
 * Gives sessions that use a shard their connections to those that will take over from it, with variables set and
 * statements prepared, while nobody waits for them. A few at a time: the servers have other work. What fails is left
 * out, as each session connects by itself where it has no connection.
 */
final class EarlyConnections {
    private static final int AT_ONCE = 4;

    private final RouterLoop loop;
    private final Deque<Early> waiting = new ArrayDeque<>();
    private int running;
    private boolean on;
    /** Those that were begun before the last {@link #stop} are nobody's business any more. */
    private int round;

    EarlyConnections(RouterLoop loop) {
        this.loop = loop;
    }

    void start(TopologyView view, String workflowUid, Collection<SessionRunner> runners) {
        stop();
        on = true;
        var relieved = view.relieved(workflowUid);
        for (var shard : view.waiting(workflowUid)) {
            for (var runner : runners) {
                if (has(runner, relieved) && lacks(runner, shard)) {
                    waiting.add(new Early(runner, shard, relieved));
                }
            }
        }
        for (int i = 0; i < AT_ONCE; i++) {
            next();
        }
    }

    /** The topology is another one. */
    void stop() {
        on = false;
        round++;
        waiting.clear();
        running = 0;
    }

    /** Whether {@link #start} was called under this topology. */
    boolean isOn() {
        return on;
    }

    /** How many are still to come. */
    int left() {
        return waiting.size() + running;
    }

    private void next() {
        var early = waiting.poll();
        if (early == null) {
            return;
        }
        running++;
        if (early.isWanted()) {
            loop.pools().claimEarly(early);
        } else {
            early.ended();
        }
    }

    private static boolean has(SessionRunner runner, Set<String> relieved) {
        return runner.session().pinned() == null
                && runner.session().backends().stream()
                        .anyMatch(backend -> relieved.contains(backend.shard().uid()));
    }

    private static boolean lacks(SessionRunner runner, ShardEntry shard) {
        return runner.session().backends().stream()
                .noneMatch(backend -> backend.shard().uid().equals(shard.uid()));
    }

    private final class Early extends SessionClaim implements Readying.Callback {
        private final Set<String> relieved;
        private final ClientIdentity client;
        private final int of = round;
        /** To be prepared yet. */
        private final Deque<StatementKey> statements = new ArrayDeque<>();

        private boolean ended;

        Early(SessionRunner runner, ShardEntry shard, Set<String> relieved) {
            super(runner, shard);
            this.relieved = relieved;
            this.client = runner.session().client();
        }

        @Override
        public boolean isWanted() {
            var view = loop.view();
            // Another object after COM_CHANGE_USER: the connection has the former user's privileges.
            return runner.session().client() == client
                    && !runner.isGone()
                    && view != null
                    && view.expects(shard)
                    && lacks(runner, shard);
        }

        @Override
        public void reserved() {}

        @Override
        public void granted(SessionBackend backend) {
            backend.early(true);
            runner.guarded(() -> {
                takeStatements();
                refresh(backend);
            });
        }

        private void refresh(SessionBackend backend) {
            Readying.refresh(runner, backend, statements.poll(), this);
        }

        /** What the session has prepared on the servers that it uses now. */
        private void takeStatements() {
            runner.session().backends().stream()
                    .filter(backend -> relieved.contains(backend.shard().uid()))
                    .flatMap(backend -> backend.statements().stream())
                    .filter(key -> !key.opensCursor() && key.isReadBy(runner.session()))
                    .distinct()
                    .forEach(statements::add);
        }

        @Override
        public void ready(SessionBackend backend) {
            if (!statements.isEmpty()) {
                refresh(backend);
                return;
            }
            if (backend.owner() == runner.backends()) {
                backend.rest();
            }
            ended();
        }

        @Override
        public void failed(ErrPacket error, boolean mayComeBack) {
            ended();
        }

        @Override
        public void refused(ErrPacket error) {
            // Whatever it could not be told now, it is told again when it is used.
            runner.session().backends().stream()
                    .filter(backend -> backend.isEarly() && backend.shard().equals(shard))
                    .forEach(SessionBackend::rest);
            ended();
        }

        @Override
        public void unavailable(ErrPacket error) {
            ended();
        }

        @Override
        public void abandoned() {
            ended();
        }

        private void ended() {
            if (!ended && of == round) {
                ended = true;
                running--;
                // As a task of its own: a claim that fails at once must not grow the stack.
                loop.eventLoop().execute(EarlyConnections.this::next);
            }
        }
    }
}
