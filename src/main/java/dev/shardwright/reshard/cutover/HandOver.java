package dev.shardwright.reshard.cutover;

import dev.shardwright.mysql.admin.Users;
import dev.shardwright.reshard.cutover.Drain.Drained;
import dev.shardwright.reshard.objects.SchemaObjects;
import dev.shardwright.reshard.workflow.Entries;
import dev.shardwright.reshard.workflow.Pause;
import dev.shardwright.reshard.workflow.WorkflowRequest.Settings;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import dev.shardwright.topology.store.TopologyStore.Versioned;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Steps 2 to 5 under the fence of one attempt: whatever goes wrong in them, the caller undoes it. */
final class HandOver {
    private static final Logger log = LoggerFactory.getLogger(HandOver.class);
    private static final Duration REHEARSAL = Duration.ofMillis(500);
    private static final Duration CONNECTIONS = Duration.ofSeconds(1);
    private static final long PAUSE_MILLIS = 5;
    private static final int REHEARSALS = 3;

    private final World world;
    private final Sides sides;
    private final Settings settings;
    private final boolean force;
    private final Steps steps;
    private final Servers servers;
    private final Servers aside;
    private boolean tokensMayBeRaised;
    private @Nullable Set<String> counted;
    private @Nullable Receivers receivers;

    /** What those that are to serve have, where nobody but administrators can change it; read before anybody waits. */
    private record Receivers(Map<Member, Users.Accounts> users, Map<Member, SchemaObjects> objects) {}

    /** {@code aside}: a second connection to each server, for what runs besides. */
    HandOver(World world, Sides sides, Settings settings, boolean force, Steps steps, Servers servers, Servers aside) {
        this.world = world;
        this.sides = sides;
        this.settings = settings;
        this.force = force;
        this.steps = steps;
        this.servers = servers;
        this.aside = aside;
    }

    /** The tables with AUTO_INCREMENT, whose values have been raised a moment ago. Not called: nobody knows. */
    void counted(Set<String> tables) {
        counted = tables;
    }

    /** Whether movers of this attempt's token may have become the only ones that can write. */
    boolean tokensMayBeRaised() {
        return tokensMayBeRaised;
    }

    /** Lets the routers connect to the servers that are to serve, which they begin to do. */
    void admit(WorkflowEntry entry) throws SQLException {
        servers.each(sides.to(entry), (member, all) -> {
            all.of(member).admitUntilRestart();
            return true;
        });
        try {
            world.routers().connectEarly(entry.uid(), REHEARSAL);
        } catch (RuntimeException e) {
            log.info("routers were not asked to connect early, so they connect when they have to: {}", e.toString());
        }
    }

    /** Waits for what {@link #admit} has begun, but not for long: whoever has no connection then can do without. */
    void awaitConnections() {
        var present = world.routers().present();
        var patience = Deadline.in(CONNECTIONS);
        while (!patience.passed()
                && present.states(REHEARSAL).stream().anyMatch(state -> state.answered() && state.connecting() > 0)) {
            Pause.millis(PAUSE_MILLIS);
        }
    }

    /**
     * Does all that is done under the fence and changes nothing, before anybody waits: the first times take several times
     * as long, for the servers and for this process. What it finds decides nothing, but for what those have that are to
     * serve: it is not read again.
     */
    void rehearse(Versioned read, WorkflowEntry entry) throws SQLException {
        for (int i = 0; i < REHEARSALS; i++) {
            rehearseOnce(read, entry);
        }
    }

    private void rehearseOnce(Versioned read, WorkflowEntry entry) throws SQLException {
        var edits = new FenceEdits(sides);
        var fenced = world.topology().rehearse(read, edits.fence(entry.attempt() + 1));
        world.routers().present().states(REHEARSAL);
        var g = CatchUp.byUid(servers.each(sides.from(entry), (member, all) -> {
            var admin = all.of(member);
            admin.sessions();
            admin.preparedTransactions();
            return admin.gtidExecuted();
        }));
        var catchUp = new CatchUp(servers, sides, entry);
        catchUp.askApplied(sides.streams(read.topology(), entry), g);
        catchUp.ensureTokens();
        var objects = new ObjectMove(aside, sides, read.topology(), entry);
        var found = read(objects, entry);
        receivers = found;
        CatchUp.userDifference(aside, sides, entry, found.users());
        objects.differences(found.objects());
        var flip = edits.flip(entry.attempt() + 1, g, catchUp.positions());
        world.topology().rehearse(new Versioned(fenced, read.version()), flip);
    }

    private Receivers read(ObjectMove objects, WorkflowEntry entry) throws SQLException {
        return new Receivers(CatchUp.users(aside, sides, entry), objects.ofReceivers());
    }

    /** Returns the topology in which the new shards serve; Undone, or any other exception, when it must go back. */
    Topology run(Topology fenced, int attempt, Deadline deadline) throws SQLException {
        var entry = Entries.get(fenced, sides.workflowUid());
        var drained = steps.get(
                Step.DRAIN, () -> Drain.run(world.routers(), fenced.epoch(), settings.drainTimeout(), force, deadline));
        steps.run(Step.FREEZE, () -> onEach(entry, drained, fencing -> fencing.freeze(force)));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var objects = new ObjectMove(aside, sides, fenced, entry);
            var besides = threads.submit(() -> besides(objects, entry));
            var g = finalPositions(entry, drained, deadline);
            // On the connections that read G: they break when a server is restarted before its fence outlasts that.
            var persisted = threads.submit(() -> persistFence(entry));
            var catchUp = new CatchUp(servers, sides, entry);
            steps.run(Step.APPLY_G, () -> catchUp.awaitApplied(sides.streams(fenced, entry), g, deadline));
            tokensMayBeRaised = true;
            steps.run(Step.RAISE_TOKENS, catchUp::raiseTokens);
            var recent = Servers.result(besides);
            steps.run(Step.CREATE_TRIGGERS, objects::createTriggers);
            Servers.result(persisted);
            var positions = steps.get(Step.READ_R, () -> {
                var confirmed = threads.submit(() -> confirm(entry, drained, g, deadline));
                var found = catchUp.positions();
                Servers.result(confirmed);
                return found;
            });
            deadline.check("the last checks before the flip had passed");
            return flip(recent, attempt, g, positions);
        }
    }

    private Map<String, String> finalPositions(WorkflowEntry entry, Drained drained, Deadline deadline)
            throws SQLException {
        steps.run(Step.END_SESSIONS, () -> onEach(entry, drained, fencing -> fencing.endSessions(deadline)));
        return steps.get(
                Step.READ_G,
                () -> CatchUp.byUid(servers.each(
                        sides.from(entry), (member, all) -> all.of(member).gtidExecuted())));
    }

    /** From here on the fence outlasts a restart of its servers. */
    private boolean persistFence(WorkflowEntry entry) throws SQLException {
        steps.run(
                Step.PERSIST_FENCE,
                () -> servers.each(sides.from(entry), (member, all) -> {
                    all.of(member).persistFreeze();
                    return true;
                }));
        return true;
    }

    /** What need not wait for the streams; and the document that the flip is tried on first. */
    private Versioned besides(ObjectMove objects, WorkflowEntry entry) throws SQLException {
        var catchUp = new CatchUp(aside, sides, entry);
        steps.run(Step.COMPARE, () -> {
            var known = receivers == null ? read(objects, entry) : receivers;
            catchUp.compareUsers(known.users());
            objects.compare(known.objects());
        });
        var tables = counted;
        steps.run(Step.RAISE_COUNTERS, () -> {
            if (tables == null) {
                catchUp.raiseCounters();
            } else {
                catchUp.raiseCounters(tables);
            }
        });
        return world.topology().read();
    }

    private boolean confirm(WorkflowEntry entry, Drained drained, Map<String, String> g, Deadline deadline)
            throws SQLException {
        servers.each(sides.from(entry), (member, all) -> {
            new Fencing(member, all.of(member), drained).confirm(g.getOrDefault(member.uid(), ""), deadline);
            return true;
        });
        return true;
    }

    private Topology flip(Versioned recent, int attempt, Map<String, String> g, Map<String, String> positions)
            throws SQLException {
        var edit = new FenceEdits(sides).flip(attempt, g, positions);
        return steps.get(Step.FLIP, () -> world.topology().apply(recent, edit));
    }

    private interface OnServer {
        void run(Fencing fencing) throws SQLException;
    }

    private void onEach(WorkflowEntry entry, Drained drained, OnServer action) throws SQLException {
        servers.each(sides.from(entry), (Member member, Servers all) -> {
            action.run(new Fencing(member, all.of(member), drained));
            return true;
        });
    }
}
