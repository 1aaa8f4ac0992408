package dev.shardwright.mysql.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A mysqld that still runs in a directory because the JVM that started it was killed hard. */
public final class LeftoverServer {
    private static final Duration STOP = Duration.ofSeconds(30);

    private final Path directory;

    public LeftoverServer(Path directory) {
        this.directory = directory;
    }

    void remember(long pid) throws IOException {
        Files.writeString(file(), pid + " " + ProcessHandle.current().pid() + "\n");
    }

    /** Ends a server whose JVM is gone; MysqlServerException if its JVM still lives. */
    public void stop() throws IOException {
        if (!Files.exists(file())) {
            return;
        }
        var pids = Files.readString(file()).strip().split(" ", -1);
        if (pids.length != 2) {
            return;
        }
        var server = ProcessHandle.of(Long.parseLong(pids[0])).filter(this::isOurs);
        if (server.isEmpty()) {
            return;
        }
        var owner = ProcessHandle.of(Long.parseLong(pids[1]));
        if (owner.filter(LeftoverServer::isJava).isPresent()) {
            throw new MysqlServerException("the server directory " + directory + " is in use by process " + pids[1]
                    + " (its mysqld is process " + pids[0] + "): end that process first");
        }
        end(server.get());
    }

    private boolean isOurs(ProcessHandle handle) {
        return commandLine(handle).contains("--defaults-file=" + directory + "/my.cnf");
    }

    private static boolean isJava(ProcessHandle handle) {
        return handle.isAlive() && commandLine(handle).contains("java");
    }

    private static String commandLine(ProcessHandle handle) {
        return Optional.ofNullable(handle.info())
                .flatMap(ProcessHandle.Info::commandLine)
                .orElse("");
    }

    private void end(ProcessHandle server) {
        server.destroyForcibly();
        try {
            server.onExit().get(STOP.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MysqlServerException("interrupted while ending mysqld process " + server.pid(), e);
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new MysqlServerException(
                    "mysqld process " + server.pid() + " of an earlier run in " + directory + " does not end", e);
        }
    }

    private Path file() {
        return directory.resolve("pids");
    }
}
