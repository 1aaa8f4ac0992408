package dev.shardwright.local;

import com.fasterxml.jackson.databind.DeserializationFeature;
import dev.shardwright.reshard.cutover.Step;
import dev.shardwright.reshard.cutover.StepListener;
import dev.shardwright.reshard.mover.Movability;
import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.reshard.workflow.Admins;
import dev.shardwright.reshard.workflow.Leadership;
import dev.shardwright.reshard.workflow.Movers;
import dev.shardwright.reshard.workflow.Precheck;
import dev.shardwright.reshard.workflow.ShardHosts;
import dev.shardwright.reshard.workflow.WorkflowEngine;
import dev.shardwright.reshard.workflow.WorkflowPorts;
import dev.shardwright.testing.TestServers;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import dev.shardwright.topology.store.FileTopologyStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * The operator's part of a keyspace as a process: local mode's loop and engine, whose servers and movers are wishes
 * that {@link Keeper} fulfils. Arguments: the keyspace's directory, the router's management port.
 */
final class EngineMain {
    private static final Duration FENCES = Duration.ofSeconds(1);

    private EngineMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var control = Control.start();
        var directory = Path.of(arguments[0]);
        var admins = Admins.of(TestServers.KEYSPACE, TestServers.OPERATOR, Leadership.ALWAYS);
        var router = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1]));
        try (var store = new FileTopologyStore(FaultKeyspace.topology(directory), TestServers.KEYSPACE);
                var routers = new LocalRouters(Map.of("router", router))) {
            var hosts = new Hosts(Wishes.in(directory.resolve("shards")));
            var engine = new WorkflowEngine(
                    new WorkflowPorts(
                            store,
                            hosts,
                            routers,
                            new ProcessMovers(Wishes.in(directory.resolve("movers"))),
                            admins,
                            precheck(admins),
                            Leadership.ALWAYS),
                    Clock.systemUTC(),
                    new StepListener() {
                        @Override
                        public void before(Step step) {
                            control.reach(step);
                        }
                    });
            new WorkflowLoop(TestServers.KEYSPACE, new WorkflowFiles(directory), engine, _ -> {}).start();
            while (true) {
                Thread.sleep(FENCES);
                hosts.reconcileFences(engine);
            }
        }
    }

    private static Precheck precheck(Admins admins) {
        return (sources, vschema) -> {
            var source = sources.getFirst();
            try (var admin = admins.open(source.uid(), source.primary())) {
                return Movability.problems(admin.connection(), TestServers.KEYSPACE, source.range(), vschema);
            }
        };
    }

    private record Hosts(Wishes shards) implements ShardHosts {
        @Override
        public Provision provision(Member shard) {
            shards.want(shard.name(), new Member(shard.range(), shard.uid(), shard.name(), null));
            return shards.port(shard.name())
                    .<Provision>map(port -> new Provision.Ready(new Endpoint("127.0.0.1", port)))
                    .orElseGet(() -> new Provision.Pending("it is starting"));
        }

        @Override
        public boolean retire(Member shard) {
            shards.drop(shard.name());
            return shards.port(shard.name()).isEmpty();
        }

        /** As the operator does with each Shard. */
        void reconcileFences(WorkflowEngine engine) {
            for (var wish : shards.all().entrySet()) {
                var port = shards.port(wish.getKey());
                try {
                    if (port.isPresent()) {
                        var shard = Wishes.JSON.readValue(wish.getValue(), Member.class);
                        engine.fenceReconciler().reconcile(shard.uid(), new Endpoint("127.0.0.1", port.get()));
                    }
                } catch (IOException | SQLException | RuntimeException e) {
                    LoggerFactory.getLogger(EngineMain.class).warn("the fence of {}: {}", wish.getKey(), e.toString());
                }
            }
        }
    }

    private record ProcessMovers(Wishes movers, HttpClient client) implements Movers {
        private static final Duration ANSWER = Duration.ofMillis(500);

        ProcessMovers(Wishes movers) {
            this(movers, HttpClient.newBuilder().connectTimeout(ANSWER).build());
        }

        private static String file(String stream) {
            return stream.replace('/', '.');
        }

        @Override
        public void start(MoverSpec spec) {
            movers.want(file(spec.stream()), spec);
        }

        @Override
        public Optional<MoverProgress> answer(String stream) {
            return movers.port(file(stream)).flatMap(this::ask);
        }

        private Optional<MoverProgress> ask(int port) {
            var uri = URI.create("http://127.0.0.1:" + port + "/progress");
            try {
                var answer =
                        client.send(HttpRequest.newBuilder(uri).timeout(ANSWER).build(), BodyHandlers.ofString());
                return Optional.of(Wishes.JSON
                        .readerFor(MoverProgress.class)
                        .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .readValue(answer.body()));
            } catch (IOException e) {
                return Optional.empty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }

        @Override
        public boolean stop(String stream) {
            movers.drop(file(stream));
            return movers.port(file(stream)).isEmpty();
        }
    }
}
