package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Keyspace;
import dev.shardwright.api.ReshardWorkflow;
import dev.shardwright.api.TimeSpan;
import dev.shardwright.mysql.server.ServerSettings;
import dev.shardwright.operator.status.Problem;
import dev.shardwright.topology.vindex.VSchemaRules;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** What the schema can't see, because it takes another resource or more than CEL can tell. */
final class SpecCheck {
    /** For the clients' statements to come through after a switchover that took all of its time. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    private SpecCheck() {}

    static Optional<Problem> problem(Keyspace keyspace) {
        var spec = keyspace.getSpec();
        var settings = spec.mysql().config().stream()
                .flatMap(setting -> ServerSettings.problem(setting.name(), setting.value()).stream());
        return Stream.concat(settings, VSchemaRules.problems(spec.vschema()).stream())
                .findFirst()
                .map(words -> new Problem("InvalidSpec", words));
    }

    static Optional<Problem> problem(ReshardWorkflow workflow, Keyspace keyspace) {
        var switchTimeout = TimeSpan.parse(workflow.getSpec().switchTimeout());
        var bufferTimeout = TimeSpan.parse(keyspace.getSpec().router().bufferTimeout());
        return switchTimeout.plus(MARGIN).compareTo(bufferTimeout) <= 0
                ? Optional.empty()
                : Optional.of(new Problem(
                        "InvalidSpec",
                        "switchTimeout " + workflow.getSpec().switchTimeout()
                                + " + 2s must be at most the router.bufferTimeout of Keyspace "
                                + keyspace.getMetadata().getName() + ", which is "
                                + keyspace.getSpec().router().bufferTimeout()
                                + ", or clients would see errors: lower the one or raise the other"));
    }
}
