package dev.shardwright.app;

import dev.shardwright.local.bench.ContenderChoice;
import dev.shardwright.local.demo.DemoDirectory;
import dev.shardwright.local.workload.Address;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of benchmarks: what is measured, and where its data are. */
final class ContenderOptions {
    @Option(
            names = "--dir",
            defaultValue = "target/bench/work",
            description = "For servers' data, clients' histories and logs. Default: ${DEFAULT-VALUE}")
    Path directory = Path.of("target/bench/work");

    @Option(
            names = "--throttle",
            defaultValue = "{}",
            description = "The workflow's spec.throttle. Default: ${DEFAULT-VALUE}")
    String throttle = "{}";

    @Option(
            names = "--other",
            paramLabel = "PROGRAM",
            description = {
                "Measures another system that speaks MySQL's protocol and has the keyspace chat with one shard. It is",
                "called with one word of Prepare, Copy, Verify, Switch, Reverse, and ends when that is done."
            })
    @Nullable
    String other;

    @Option(names = "--other-port", description = "Where applications connect to it, on 127.0.0.1.")
    int otherPort;

    @Option(names = "--other-source-port", description = "The MySQL server that has all rows until the split.")
    int otherSourcePort;

    @Option(names = "--other-user", defaultValue = "vt", description = "Default: ${DEFAULT-VALUE}")
    String otherUser = "vt";

    @Option(
            names = "--other-password",
            defaultValue = "${env:SHARDWRIGHT_PASSWORD:-}",
            description = "Better given as SHARDWRIGHT_PASSWORD.")
    String otherPassword = "";

    ContenderChoice choice() {
        var fresh = DemoDirectory.fresh(directory);
        if (other == null) {
            return new ContenderChoice(fresh, throttle, null);
        }
        var address = new Address("127.0.0.1", otherPort, otherUser, otherPassword, "chat");
        return new ContenderChoice(
                fresh,
                throttle,
                new ContenderChoice.Other(other, address, address.at(address.host(), otherSourcePort)));
    }
}
