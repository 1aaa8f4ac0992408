package dev.shardwright.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code shardwright operator}: listed here for help; it runs in Quarkus, which the image's launcher starts. */
@Command(
        name = "operator",
        mixinStandardHelpOptions = true,
        description = "Reconciles Keyspaces, Shards and ReshardWorkflows; runs in a cluster, see deploy/.")
final class OperatorCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new IllegalStateException(
                "the operator runs in Quarkus: start it with java -jar target/quarkus-app/quarkus-run.jar operator"
                        + " (the image does so), or install it with kubectl apply -f deploy/");
    }
}
