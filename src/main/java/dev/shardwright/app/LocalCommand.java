package dev.shardwright.app;

import picocli.CommandLine.Command;

/** {@code shardwright local ...}: a keyspace and its reshards on this machine. */
@Command(
        name = "local",
        mixinStandardHelpOptions = true,
        description = "Runs a keyspace on this machine, without Kubernetes.",
        synopsisSubcommandLabel = "COMMAND")
final class LocalCommand {}
