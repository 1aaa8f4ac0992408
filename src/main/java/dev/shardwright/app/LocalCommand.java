package dev.shardwright.app;

import dev.shardwright.local.LocalKeyspace;
import dev.shardwright.local.LocalView;
import dev.shardwright.local.demo.Demo;
import dev.shardwright.local.demo.DemoOptions;
import dev.shardwright.local.demo.SplitWatch;
import dev.shardwright.local.demo.Terminal;
import dev.shardwright.local.workload.ChatShape;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.reshard.workflow.WorkflowReport.Succeeded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shardwright local ...}: a keyspace and its reshards on this machine. */
@Command(
        name = "local",
        mixinStandardHelpOptions = true,
        description = "Runs a keyspace on this machine, without Kubernetes.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            LocalCommand.Up.class,
            LocalCommand.Reshard.class,
            LocalCommand.Status.class,
            LocalCommand.DemoCommand.class,
            SwitchoverBenchCommand.class,
            InsertBenchCommand.class,
            CopyBenchCommand.class
        })
final class LocalCommand {
    private static final String DIR = "The keyspace's directory. Default: .shardwright/<keyspace>";

    @Command(
            name = "up",
            mixinStandardHelpOptions = true,
            description = {
                "Starts a keyspace and keeps it running until Ctrl-C.",
                "Started again in the same directory, it goes on with the same data."
            })
    static final class Up implements Callable<Integer> {
        @Option(names = "-f", required = true, paramLabel = "KEYSPACE.YAML", description = "The same as for kubectl.")
        @Nullable
        Path file;

        @Option(names = "--dir", description = DIR)
        @Nullable
        Path directory;

        @Option(names = "--port", defaultValue = "0", description = "The router's port. Default: a free one")
        int port;

        @Override
        public Integer call() throws IOException, InterruptedException {
            String yaml = Files.readString(required(file));
            var place = directory == null ? LocalView.directoryOf(yaml) : directory;
            ProcessLog.toFile(place.resolve("shardwright.log"));
            var terminal = Terminal.standard();
            terminal.now("starting");
            var options = new LocalKeyspace.Options(place, MysqlHome.find(), port, _ -> {});
            var keyspace = LocalKeyspace.start(yaml, options);
            Runtime.getRuntime().addShutdownHook(new Thread(keyspace::close, "shutdown"));
            var address = keyspace.address();
            terminal.line("keyspace " + keyspace.name() + " serves with "
                    + keyspace.topology().shards().size() + " shards; connect with");
            terminal.line("    mysql -h " + address.host() + " -P " + address.port() + " -u " + address.user() + " -p"
                    + address.password() + " " + address.database());
            terminal.line("in another terminal: shardwright local status | shardwright local reshard -f workflow.yaml");
            terminal.line("Ctrl-C stops it; the data stay in " + place);
            new CountDownLatch(1).await();
            return 0;
        }
    }

    @Command(
            name = "reshard",
            mixinStandardHelpOptions = true,
            description = {
                "Starts a ReshardWorkflow, or changes the goal of one, and follows it.",
                "Exit code 1 if something is in its way."
            })
    static final class Reshard implements Callable<Integer> {
        private static final int LOOK_MILLIS = 100;

        @Option(names = "-f", required = true, paramLabel = "WORKFLOW.YAML", description = "The same as for kubectl.")
        @Nullable
        Path file;

        @Option(names = "--dir", description = DIR)
        @Nullable
        Path directory;

        @Override
        public Integer call() throws IOException, InterruptedException {
            var view = view(directory);
            String name = view.reshard(Files.readString(required(file)));
            var terminal = Terminal.standard();
            var watch = new SplitWatch(terminal);
            terminal.line("workflow " + name);
            while (true) {
                var status = view.status(name);
                status.ifPresent(watch::accept);
                if (status.isPresent() && status.get().settled()) {
                    boolean reached = status.get().succeeded() == Succeeded.TRUE;
                    String words = status.get().phase() + ": " + status.get().message();
                    if (reached) {
                        terminal.good(words);
                    } else {
                        terminal.bad(words);
                    }
                    return reached ? 0 : 1;
                }
                if (!view.running()) {
                    throw new IllegalStateException(
                            "the keyspace was stopped; the workflow goes on when it is started again");
                }
                Thread.sleep(LOOK_MILLIS);
            }
        }
    }

    @Command(name = "status", mixinStandardHelpOptions = true, description = "Shows the shards and the workflows.")
    static final class Status implements Callable<Integer> {
        @Option(names = "--dir", description = DIR)
        @Nullable
        Path directory;

        @Override
        public Integer call() {
            view(directory).describe().forEach(Terminal.standard()::line);
            return 0;
        }
    }

    @Command(
            name = "demo",
            mixinStandardHelpOptions = true,
            description = {
                "Loads a chat, splits a shard under load, and counts what was lost.",
                "Exit code 0 only if nothing was lost and no client saw an error."
            })
    static final class DemoCommand implements Callable<Integer> {
        @Option(names = "--dir", defaultValue = "target/demo", description = "Default: ${DEFAULT-VALUE}")
        Path directory = Path.of("target/demo");

        @Option(
                names = "--fault",
                defaultValue = "${env:FAULT:-none}",
                description = "none, delete-row (on a new shard, before the comparison: must be found) or kill-mover."
                        + " Default: the environment's FAULT, or none")
        String fault = "none";

        @Option(names = "--messages", defaultValue = "200000", description = "Default: ${DEFAULT-VALUE}")
        long messages = ChatShape.DEFAULT.messages();

        @Option(names = "--keep", description = "Keep the servers' data afterwards.")
        boolean keep;

        @Override
        public Integer call() throws Exception {
            var options = DemoOptions.in(directory)
                    .with(fault(fault))
                    .with(ChatShape.of(messages))
                    .keepingData(keep);
            try (var demo = new Demo(options, Terminal.standard())) {
                ProcessLog.toFile(directory.resolve("shardwright.log"));
                Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "shutdown"));
                return demo.run().nothingLost() ? 0 : 1;
            }
        }

        private static DemoOptions.Fault fault(String text) {
            try {
                return DemoOptions.Fault.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "there is no fault '" + text + "': use none, delete-row or kill-mover", e);
            }
        }
    }

    private static LocalView view(@Nullable Path directory) {
        return directory == null ? LocalView.only() : LocalView.of(directory);
    }

    private static <T> T required(@Nullable T value) {
        return java.util.Objects.requireNonNull(value);
    }
}
