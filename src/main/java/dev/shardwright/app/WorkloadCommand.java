package dev.shardwright.app;

import picocli.CommandLine.Command;

/** {@code shardwright workload ...}: a client that remembers what it wrote and checks that nothing was lost. */
@Command(
        name = "workload",
        mixinStandardHelpOptions = true,
        description = "Loads, works on and checks the chat data of the demo.",
        synopsisSubcommandLabel = "COMMAND")
final class WorkloadCommand {}
