package dev.shardwright.local;

import dev.shardwright.topology.model.ShardEntry;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.store.FileTopologyStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A local keyspace as other processes see it: its directory. */
public final class LocalView {
    /** Below the current directory, one directory for each keyspace. */
    public static final Path HOME = Path.of(".shardwright");

    private final Path directory;
    private final WorkflowFiles workflows;

    private LocalView(Path directory) {
        this.directory = directory;
        this.workflows = new WorkflowFiles(directory);
    }

    /** IllegalStateException if there is no keyspace. */
    public static LocalView of(Path directory) {
        if (!Files.exists(directory.resolve("topology.json"))) {
            throw new IllegalStateException("there is no keyspace in " + directory
                    + ": start one with `shardwright local up -f keyspace.yaml`");
        }
        return new LocalView(directory);
    }

    /** The only keyspace below {@link #HOME}; IllegalStateException if there is none, or more than one. */
    public static LocalView only() {
        if (!Files.isDirectory(HOME)) {
            throw new IllegalStateException("there is no keyspace here: start one with"
                    + " `shardwright local up -f keyspace.yaml`, or say where one is with --dir");
        }
        try (Stream<Path> found = Files.list(HOME)) {
            var all = found.filter(Files::isDirectory).toList();
            if (all.size() != 1) {
                throw new IllegalStateException(
                        "there are " + all.size() + " keyspaces in " + HOME + ": choose one with --dir");
            }
            return of(all.getFirst());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where a keyspace of this YAML lives unless told otherwise. */
    public static Path directoryOf(String keyspaceYaml) {
        return HOME.resolve(LocalResources.keyspace(keyspaceYaml).name());
    }

    /** Whether a process runs this keyspace. */
    public boolean running() {
        try (var channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var lock = channel.tryLock();
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hands a workflow to the process that runs the keyspace; returns its name. */
    public String reshard(String yaml) {
        if (!running()) {
            throw new IllegalStateException("the keyspace in " + directory
                    + " does not run: start it with `shardwright local up -f keyspace.yaml` and leave it running");
        }
        return workflows.apply(yaml);
    }

    /** Empty until the running process has seen the workflow with the goal that its YAML asks for. */
    public Optional<WorkflowStatus> status(String workflow) {
        var wanted =
                LocalResources.workflow(workflows.yaml(workflow)).spec().goal().name();
        return workflows
                .status(workflow)
                .filter(status ->
                        status.goal().name().equals(wanted) || status.reason().equals(WorkflowStatus.REFUSED));
    }

    /** The keyspace as a table for a terminal. */
    public List<String> describe() {
        var topology = topology();
        var lines = new ArrayList<String>();
        lines.add("keyspace " + topology.keyspace() + ", epoch " + topology.epoch() + ", "
                + (running() ? "running" : "stopped"));
        lines.add("");
        lines.add(String.format(Locale.ROOT, "%-12s %-10s %-22s %s", "SHARD", "STATE", "SERVER", "NAME"));
        for (ShardEntry shard : topology.shards()) {
            lines.add(String.format(
                    Locale.ROOT, "%-12s %-10s %-22s %s", shard.range(), shard.state(), shard.primary(), shard.name()));
        }
        var names = workflows.names();
        if (!names.isEmpty()) {
            lines.add("");
            lines.add(String.format(
                    Locale.ROOT, "%-16s %-11s %-12s %-16s %s", "WORKFLOW", "GOAL", "PHASE", "PROGRESS", "STATUS"));
            names.forEach(name -> workflows.status(name).ifPresent(status -> describe(status, lines)));
        }
        return lines;
    }

    private static void describe(WorkflowStatus status, List<String> lines) {
        lines.add(String.format(
                Locale.ROOT,
                "%-16s %-11s %-12s %-16s %s",
                status.name(),
                status.goal(),
                status.phase(),
                status.progress(),
                status.message()));
        if (!status.slowed().isEmpty()) {
            lines.add("  " + status.slowed());
        }
        status.lastSwitchover().ifPresent(last -> lines.add("  last switchover: " + last));
    }

    private Topology topology() {
        return FileTopologyStore.look(directory.resolve("topology.json")).orElseThrow();
    }
}
