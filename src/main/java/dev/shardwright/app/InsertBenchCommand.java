package dev.shardwright.app;

import dev.shardwright.local.bench.InsertBench;
import dev.shardwright.local.demo.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shardwright local bench-insert}: what a split costs the clients that insert, on this machine. */
@Command(
        name = "bench-insert",
        mixinStandardHelpOptions = true,
        description = {
            "Measures the latency of inserts before their shard is split in two, while it is copied and compared, at the",
            "switchover and after it. A line each on standard output: what, its seconds, rows per second if these were moved",
            "in it, inserts, their median, p99 and longest in ms, errors."
        })
final class InsertBenchCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ContenderOptions contender = new ContenderOptions();

    @Option(names = "--rows", defaultValue = "1000000", description = "Default: ${DEFAULT-VALUE}")
    long rows;

    @Option(names = "--clients", defaultValue = "4", description = "That insert. Default: ${DEFAULT-VALUE}")
    int clients;

    @Override
    public Integer call() throws Exception {
        var options = new InsertBench.Options(rows, clients);
        var terminal = new Terminal(System.err, false);
        var out = spec.commandLine().getOut();
        try (var bench = new InsertBench(contender.choice(), options, terminal, out)) {
            ProcessLog.toFile(contender.directory.resolve("shardwright.log"));
            Runtime.getRuntime().addShutdownHook(new Thread(bench::close, "shutdown"));
            bench.run();
            return 0;
        }
    }
}
