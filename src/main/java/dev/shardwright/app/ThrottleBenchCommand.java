package dev.shardwright.app;

import dev.shardwright.local.bench.ThrottleBench;
import dev.shardwright.local.demo.Terminal;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shardwright local bench-throttle}: what copy and comparison cost the clients, on this machine. */
@Command(
        name = "bench-throttle",
        mixinStandardHelpOptions = true,
        description = "Measures the latency of inserts while their shard is copied and compared, and before.")
final class ThrottleBenchCommand implements Callable<Integer> {
    @Option(names = "--dir", defaultValue = "target/bench/throttle", description = "Default: ${DEFAULT-VALUE}")
    Path directory = Path.of("target/bench/throttle");

    @Option(names = "--json", defaultValue = "target/bench/throttle.json", description = "Default: ${DEFAULT-VALUE}")
    Path json = Path.of("target/bench/throttle.json");

    @Option(names = "--rows", defaultValue = "1000000", description = "Default: ${DEFAULT-VALUE}")
    long rows;

    @Option(names = "--clients", defaultValue = "4", description = "That insert. Default: ${DEFAULT-VALUE}")
    int clients;

    @Option(
            names = "--throttle",
            defaultValue = "{}",
            description = "The workflow's spec.throttle. Default: ${DEFAULT-VALUE}")
    String throttle = "{}";

    @Override
    public Integer call() throws Exception {
        var options = new ThrottleBench.Options(directory, rows, clients, throttle);
        try (var bench = new ThrottleBench(options, Terminal.standard())) {
            ProcessLog.toFile(directory.resolve("shardwright.log"));
            Runtime.getRuntime().addShutdownHook(new Thread(bench::close, "shutdown"));
            bench.run().write(json);
            return 0;
        }
    }
}
