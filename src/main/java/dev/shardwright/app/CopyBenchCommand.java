package dev.shardwright.app;

import dev.shardwright.local.bench.CopyBench;
import dev.shardwright.local.bench.CopyShape;
import dev.shardwright.local.demo.Terminal;
import dev.shardwright.mysql.server.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shardwright local bench-copy}: how fast rows are copied and compared, on this machine. */
@Command(
        name = "bench-copy",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast rows are copied and compared when a shard is split in two, and how fast",
            "two servers load the same rows from files. A line each on standard output: what, rows per second,",
            "microseconds of CPU per row of this process and of the MySQL servers; and the process's peak memory in MiB."
        })
final class CopyBenchCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Option(names = "--dir", required = true, description = "For rows and servers; the rows are left there.")
    Path directory = Path.of(".");

    @Option(names = "--rows", defaultValue = "2000000", description = "Default: ${DEFAULT-VALUE}")
    int rows;

    @Option(names = "--body", defaultValue = "70", description = "Bytes of each message. Default: ${DEFAULT-VALUE}")
    int body;

    @Option(names = "--text-key", description = "Shard by a text, not by a number.")
    boolean textKey;

    @Override
    public Integer call() throws Exception {
        Files.createDirectories(directory);
        ProcessLog.toFile(directory.resolve("shardwright.log"));
        var shape = new CopyShape(textKey, rows, body);
        Files.writeString(directory.resolve("table.sql"), shape.table() + ";\n");
        var out = spec.commandLine().getOut();
        try (var bench = new CopyBench(shape, directory, new Terminal(System.err, false))) {
            Runtime.getRuntime().addShutdownHook(new Thread(bench::close, "shutdown"));
            out.println(bench.limit());
            out.flush();
            bench.move().forEach(out::println);
            out.println("memory " + CopyBench.peakMebibytes());
            out.flush();
        } finally {
            Trees.delete(directory.resolve("limit"));
            Trees.delete(directory.resolve("move"));
        }
        return 0;
    }
}
