package dev.shardwright.app;

import dev.shardwright.local.bench.SwitchoverBench;
import dev.shardwright.local.demo.DemoOptions;
import dev.shardwright.local.demo.Terminal;
import dev.shardwright.local.workload.ChatShape;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shardwright local bench-switchover}: what a switchover costs the clients, on this machine. */
@Command(
        name = "bench-switchover",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how long clients wait at switchovers between one shard and two. Lines on standard output, times in ms:",
            "'switchover', its number and direction, the longest wait at it and in the quiet seconds after it, its steps;",
            "'client', the same number, a client's connection and its longest wait at that switchover;",
            "'total', statements, errors, transactions that were told to try again, wrong answers."
        })
final class SwitchoverBenchCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ContenderOptions contender = new ContenderOptions();

    @Option(names = "--messages", defaultValue = "50000", description = "Default: ${DEFAULT-VALUE}")
    long messages;

    @Option(names = "--switchovers", defaultValue = "20", description = "Default: ${DEFAULT-VALUE}")
    int switchovers;

    @Override
    public Integer call() throws Exception {
        var options = DemoOptions.in(contender.directory).with(ChatShape.of(messages));
        var terminal = new Terminal(System.err, false);
        var out = spec.commandLine().getOut();
        try (var bench = new SwitchoverBench(contender.choice(), options, switchovers, terminal, out)) {
            ProcessLog.toFile(contender.directory.resolve("shardwright.log"));
            Runtime.getRuntime().addShutdownHook(new Thread(bench::close, "shutdown"));
            bench.run();
            return 0;
        }
    }
}
