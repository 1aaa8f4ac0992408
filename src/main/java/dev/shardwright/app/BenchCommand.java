package dev.shardwright.app;

import dev.shardwright.local.bench.SwitchoverBench;
import dev.shardwright.local.demo.DemoOptions;
import dev.shardwright.local.demo.Terminal;
import dev.shardwright.local.workload.ChatShape;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shardwright local bench}: what a switchover costs the clients, on this machine. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures how long clients wait at switchovers. Exit code 1 if one of them saw an error.")
final class BenchCommand implements Callable<Integer> {
    @Option(names = "--dir", defaultValue = "target/bench/reshard", description = "Default: ${DEFAULT-VALUE}")
    Path directory = Path.of("target/bench/reshard");

    @Option(names = "--json", defaultValue = "target/bench/reshard.json", description = "Default: ${DEFAULT-VALUE}")
    Path json = Path.of("target/bench/reshard.json");

    @Option(names = "--messages", defaultValue = "50000", description = "Default: ${DEFAULT-VALUE}")
    long messages;

    @Option(names = "--switchovers", defaultValue = "20", description = "Default: ${DEFAULT-VALUE}")
    int switchovers;

    @Override
    public Integer call() throws Exception {
        var terminal = Terminal.standard();
        var options = DemoOptions.in(directory).with(ChatShape.of(messages));
        try (var bench = new SwitchoverBench(options, switchovers, terminal)) {
            ProcessLog.toFile(directory.resolve("shardwright.log"));
            Runtime.getRuntime().addShutdownHook(new Thread(bench::close, "shutdown"));
            var figures = bench.run();
            figures.table().forEach(terminal::line);
            figures.report().write(json);
            return figures.errors() == 0 ? 0 : 1;
        }
    }
}
