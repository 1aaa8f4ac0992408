package dev.shardwright.router;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.router.buffer.ByteBudget;
import dev.shardwright.router.executor.RouterLoop;
import dev.shardwright.router.executor.RouterMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What the management port tells. */
final class Reports {
    private static final long LOOP_ANSWERS_WITHIN_MILLIS = 2_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<RouterLoop> loops;
    private final TopologyHolder topology;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private volatile boolean stopping;

    Reports(List<RouterLoop> loops, TopologyHolder topology, RouterMetrics metrics, ByteBudget statements) {
        this.loops = loops;
        this.topology = topology;
        register(metrics);
        Gauge.builder("shardwright.router.statement.bytes", statements, ByteBudget::used)
                .description("bytes of large statements that are held now, out of spec.router.statementBytes")
                .register(registry);
    }

    /** Empty when the router can serve, else why it can't. */
    String notReady() {
        if (stopping) {
            return "stopping";
        }
        return topology.latest() == null ? "no valid topology yet" : "";
    }

    /** From now on the router is not ready, so that no new clients are sent to it. */
    void stopping() {
        stopping = true;
    }

    /**
     * {@code {"epoch": 7, "openTransactions": 0, "runningWrites": 0, "runningReads": {"<shard uid>": [12, 17]},
     * "connecting": 0}}: the epoch is one that every loop has, the numbers are of shards that do not serve, a read is told
     * by the id of its session at the server, and connecting counts what {@link #connectEarly} has still to do.
     */
    String state() {
        var all = states();
        var reads = new TreeMap<String, List<Long>>();
        all.forEach(state -> state.runningReads()
                .forEach((shard, sessions) ->
                        reads.computeIfAbsent(shard, _ -> new ArrayList<>()).addAll(sessions)));
        var body = JSON.createObjectNode();
        body.put("epoch", all.stream().mapToLong(RouterLoop.State::epoch).min().orElse(0));
        body.put(
                "openTransactions",
                all.stream().mapToInt(RouterLoop.State::openTransactions).sum());
        body.put(
                "runningWrites",
                all.stream().mapToInt(RouterLoop.State::runningWrites).sum());
        body.putPOJO("runningReads", reads);
        body.put(
                "connecting",
                all.stream().mapToInt(RouterLoop.State::connecting).sum());
        return body.toString();
    }

    /** See {@link RouterLoop#connectEarly}. */
    void connectEarly(String workflowUid) {
        loops.forEach(loop -> loop.eventLoop().execute(() -> loop.connectEarly(workflowUid)));
    }

    private List<RouterLoop.State> states() {
        var asked =
                loops.stream().map(loop -> loop.eventLoop().submit(loop::state)).toList();
        var states = new ArrayList<RouterLoop.State>();
        for (var answer : asked) {
            if (!answer.awaitUninterruptibly(LOOP_ANSWERS_WITHIN_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("an event loop does not answer");
            }
            states.add(answer.getNow());
        }
        return states;
    }

    String metrics() {
        return registry.scrape();
    }

    private void register(RouterMetrics metrics) {
        for (var kind : RouterMetrics.Kind.values()) {
            FunctionCounter.builder("shardwright.router.statements", metrics.statements(kind), LongAdder::sum)
                    .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                    .description("statements by the way they were run")
                    .register(registry);
        }
        for (var reason : RouterMetrics.Refused.values()) {
            FunctionCounter.builder("shardwright.router.connections.refused", metrics.refused(reason), LongAdder::sum)
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .description("connections that were refused before their clients were in")
                    .register(registry);
        }
        counter("errors", metrics.errors(), "errors sent to clients");
        counter("held", metrics.held(), "statements that waited for a shard that was being moved");
        counter("retried", metrics.retried(), "attempts after a server had refused and run nothing");
        counter("transactions.ended", metrics.transactionsEnded(), "transactions rolled back behind the client's back");
        counter("statements.timed.out", metrics.timedOut(), "statements that ran for longer than they may");
        counter("bytes.in", metrics.bytesIn(), "bytes of clients' commands");
        counter("bytes.out", metrics.bytesOut(), "bytes sent to clients that have gone since");
        counter("defects", metrics.defects(), "clients that were closed because the router failed");
        counter("topology.invalid", metrics.invalidTopologies(), "topologies that were refused");
        gauge("clients", metrics.clients(), "clients that are logged in");
        gauge("backends", metrics.backends(), "open connections to shards");
        gauge("backend.waiting", metrics.waiting(), "statements that wait for a connection to their shard");
        Gauge.builder("shardwright.router.topology.epoch", this, Reports::epoch)
                .description("epoch of the newest valid topology")
                .register(registry);
    }

    private double epoch() {
        var latest = topology.latest();
        return latest == null ? 0 : latest.epoch();
    }

    private void counter(String name, LongAdder value, String description) {
        FunctionCounter.builder("shardwright.router." + name, value, LongAdder::sum)
                .description(description)
                .register(registry);
    }

    private void gauge(String name, Number value, String description) {
        Gauge.builder("shardwright.router." + name, value, Number::doubleValue)
                .description(description)
                .register(registry);
    }
}
