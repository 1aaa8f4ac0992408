package dev.shardwright.app;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The command line of every role. Exit codes: 0 done, 1 it went wrong, 2 the command line is wrong. */
@Command(
        name = "shardwright",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Sharded MySQL that splits its shards online.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            HelpCommand.class,
            LocalCommand.class,
            OperatorCommand.class,
            MoverCommand.class,
            RouterCommand.class,
            WorkloadCommand.class,
        })
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs one command to its end and returns its exit code. */
    public static int run(String... args) {
        // The libraries log through this manager; it only takes effect before the first logger is made.
        if (System.getProperty("java.util.logging.manager") == null) {
            System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        }
        return commandLine().execute(args);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(new FriendlyErrors())
                .setUsageHelpAutoWidth(true);
    }
}
