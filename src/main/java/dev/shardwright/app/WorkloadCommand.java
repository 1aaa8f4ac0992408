package dev.shardwright.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.api.TimeSpan;
import dev.shardwright.local.workload.Address;
import dev.shardwright.local.workload.ChatData;
import dev.shardwright.local.workload.ChatShape;
import dev.shardwright.local.workload.ChatVindexes;
import dev.shardwright.local.workload.Loader;
import dev.shardwright.local.workload.ReportText;
import dev.shardwright.local.workload.RunOptions;
import dev.shardwright.local.workload.ShardCheck;
import dev.shardwright.local.workload.Workload;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.vindex.Vindexes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shardwright workload ...}: a client that remembers what it wrote and checks that nothing was lost. */
@Command(
        name = "workload",
        mixinStandardHelpOptions = true,
        description = "Loads, works on and checks the chat data of the demo, against any MySQL address.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {WorkloadCommand.Load.class, WorkloadCommand.Run.class, WorkloadCommand.Check.class})
final class WorkloadCommand {

    /** The router, and the application's account. */
    static final class Target {
        @Option(names = "--host", defaultValue = "127.0.0.1", description = "The router. Default: ${DEFAULT-VALUE}")
        String host = "127.0.0.1";

        @Option(names = "--port", defaultValue = "3306", description = "Its port. Default: ${DEFAULT-VALUE}")
        int port = 3306;

        @Option(names = "--user", defaultValue = "app", description = "Default: ${DEFAULT-VALUE}")
        String user = "app";

        @Option(
                names = "--password",
                defaultValue = "${env:SHARDWRIGHT_PASSWORD:-}",
                description = "Better given as SHARDWRIGHT_PASSWORD, or as a file.")
        String password = "";

        @Option(names = "--password-file", description = "A file with the password and nothing else.")
        @Nullable
        Path passwordFile;

        @Option(
                names = "--database",
                defaultValue = "chat",
                description = "The keyspace's name. Default: ${DEFAULT-VALUE}")
        String database = "chat";

        Address address() throws IOException {
            return new Address(host, port, user, secret(password, passwordFile), database);
        }
    }

    private static String secret(String given, @Nullable Path file) throws IOException {
        return file == null ? given : Files.readString(file).strip();
    }

    /** How much data there is; must be the same for load, run and check. */
    static final class Shape {
        @Option(names = "--messages", defaultValue = "200000", description = "Default: ${DEFAULT-VALUE}")
        long messages = ChatShape.DEFAULT.messages();

        @Option(names = "--channels", defaultValue = "2000", description = "Default: ${DEFAULT-VALUE}")
        int channels = ChatShape.DEFAULT.channels();

        @Option(names = "--accounts", defaultValue = "1000", description = "Default: ${DEFAULT-VALUE}")
        int accounts = ChatShape.DEFAULT.accounts();

        ChatData data() {
            var usual = ChatShape.DEFAULT;
            return new ChatData(new ChatShape(messages, channels, usual.messagesPerUser(), accounts, usual.credits()));
        }
    }

    @Command(
            name = "load",
            mixinStandardHelpOptions = true,
            description = "Makes the tables and fills them.",
            showDefaultValues = false)
    static final class Load implements Callable<Integer> {
        @Mixin
        Target target = new Target();

        @Mixin
        Shape shape = new Shape();

        @Option(
                names = "--vindex",
                defaultValue = "xxhash",
                description = "The tables' vindex type. Default: ${DEFAULT-VALUE}")
        String vindex = "xxhash";

        @Option(names = "--connections", defaultValue = "4", description = "Default: ${DEFAULT-VALUE}")
        int connections = Loader.LoadOptions.DEFAULT.connections();

        @Spec
        @Nullable
        CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            var options = new Loader.LoadOptions(Loader.LoadOptions.DEFAULT.rowsPerInsert(), connections);
            var loader = new Loader(target.address(), shape.data(), Vindexes.of(vindex), options);
            long began = System.nanoTime();
            long rows = loader.load(_ -> {});
            out(spec).printf("%,d rows loaded in %.1f s%n", rows, (System.nanoTime() - began) / 1e9);
            return 0;
        }
    }

    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            description = {
                "Writes and reads, and remembers everything in a history.",
                "Exit code 1 if an answer was wrong; errors are reported and counted, but it goes on."
            })
    static final class Run implements Callable<Integer> {
        @Mixin
        Target target = new Target();

        @Mixin
        Shape shape = new Shape();

        @Option(
                names = "--vindex",
                defaultValue = "xxhash",
                description = "The tables' vindex type. Default: ${DEFAULT-VALUE}")
        String vindex = "xxhash";

        @Option(names = "--client", defaultValue = "0", description = "This client's number, from 0.")
        int client;

        @Option(
                names = "--clients",
                defaultValue = "1",
                description = "How many clients work on the data in all, also later.")
        int clients = 1;

        @Option(names = "--writers", defaultValue = "2", description = "Default: ${DEFAULT-VALUE}")
        int writers = 2;

        @Option(names = "--readers", defaultValue = "2", description = "Default: ${DEFAULT-VALUE}")
        int readers = 2;

        @Option(
                names = "--pause",
                defaultValue = "5ms",
                description = "After each statement. Default: ${DEFAULT-VALUE}")
        String pause = "5ms";

        @Option(names = "--duration", defaultValue = "60s", description = "Default: ${DEFAULT-VALUE}")
        String duration = "60s";

        @Option(names = "--stop-file", description = "Stops as soon as this file is there.")
        @Nullable
        Path stopFile;

        @Option(names = "--history", required = true, description = "Directory for the history and client-N.json.")
        @Nullable
        Path history;

        @Option(names = "--quiet", description = "No line for every second.")
        boolean quiet;

        @Spec
        @Nullable
        CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            var options = new RunOptions(
                    client,
                    clients,
                    writers,
                    readers,
                    TimeSpan.parse(pause),
                    TimeSpan.parse(duration),
                    stopFile,
                    required(history));
            var workload = new Workload(target.address(), shape.data(), Vindexes.of(vindex), options);
            var report = workload.run(progress -> {
                if (!quiet) {
                    out(spec)
                            .printf(
                                    "%4d s  writes %,d  reads %,d  errors %d  longest stall %s ms%n",
                                    progress.seconds(),
                                    progress.writes(),
                                    progress.reads(),
                                    progress.errors(),
                                    ReportText.millis(progress.longestStallMicros()));
                    out(spec).flush();
                }
            });
            ReportText.of(report).forEach(out(spec)::println);
            return report.anomalies() == 0 ? 0 : 1;
        }
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = {
                "Compares all histories with every row of every shard and with what the router shows.",
                "Exit code 1 if anything was lost, doubled, stale, misplaced or otherwise wrong."
            })
    static final class Check implements Callable<Integer> {
        private static final int EXAMPLES = 20;

        @Mixin
        Target target = new Target();

        @Mixin
        Shape shape = new Shape();

        @Option(names = "--history", required = true, description = "Directory of the histories.")
        @Nullable
        Path history;

        @Option(
                names = "--topology",
                required = true,
                description = "The keyspace's topology.json; the shards' addresses in it must be reachable from here.")
        @Nullable
        Path topology;

        @Option(
                names = "--shard-user",
                defaultValue = "shardwright_operator",
                description = "An account on the shards' servers. Default: ${DEFAULT-VALUE}")
        String shardUser = "shardwright_operator";

        @Option(
                names = "--shard-password",
                defaultValue = "${env:SHARDWRIGHT_SHARD_PASSWORD:-}",
                description = "Its password.")
        String shardPassword = "";

        @Option(names = "--shard-password-file", description = "A file with its password and nothing else.")
        @Nullable
        Path shardPasswordFile;

        @Spec
        @Nullable
        CommandSpec spec;

        @Override
        public Integer call() throws IOException, SQLException {
            var document = new ObjectMapper().readValue(required(topology).toFile(), Topology.class);
            var router = target.address();
            var account = new Address(
                    router.host(),
                    router.port(),
                    shardUser,
                    secret(shardPassword, shardPasswordFile),
                    router.database());
            var check = new ShardCheck(shape.data(), document, ChatVindexes.of(document.vschema()), account);
            var report = check.check(required(history), router);
            ReportText.of(report, EXAMPLES).forEach(out(spec)::println);
            return report.clean() ? 0 : 1;
        }
    }

    private static PrintWriter out(@Nullable CommandSpec spec) {
        return required(spec).commandLine().getOut();
    }

    private static <T> T required(@Nullable T value) {
        return java.util.Objects.requireNonNull(value);
    }
}
