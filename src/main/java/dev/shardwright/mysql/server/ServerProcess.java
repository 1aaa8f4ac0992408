package dev.shardwright.mysql.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** One mysqld process of this JVM; it does not outlive the JVM unless that is killed hard. */
final class ServerProcess {
    private static final Duration STOP = Duration.ofSeconds(30);
    private static final Duration STOP_AT_EXIT = Duration.ofSeconds(10);
    private static final int LOG_TAIL_LINES = 15;
    private static final Set<ServerProcess> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ServerProcess::stopAll, "stop-mysqld"));
    }

    private final Process process;
    private volatile boolean paused;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** Starts mysqld; what it prints before it has its error log goes to {@code output}. */
    static ServerProcess start(MysqlHome home, Path output, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(home.mysqld().toString());
        command.addAll(arguments);
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--user=root");
        }
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(output.toFile())
                    .start();
            var server = new ServerProcess(process);
            LIVE.add(server);
            return server;
        } catch (IOException e) {
            throw new MysqlServerException(home.mysqld() + " can't be run: " + e.getMessage(), e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Waits until it ends by itself; returns its exit code. */
    int await(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new MysqlServerException(
                        "mysqld (process " + pid() + ") did not end in " + limit.toSeconds() + " s");
            }
            LIVE.remove(this);
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MysqlServerException("interrupted while waiting for mysqld (process " + pid() + ") to end", e);
        }
    }

    void kill() {
        process.destroyForcibly();
        await(STOP);
    }

    /** Ends it in good order, or hard after half a minute. */
    void stop() {
        resume();
        process.destroy();
        try {
            await(STOP);
        } catch (MysqlServerException e) {
            process.destroyForcibly();
            await(STOP);
        }
    }

    void pause() {
        signal("STOP");
        paused = true;
    }

    void resume() {
        if (paused && alive()) {
            signal("CONT");
        }
        paused = false;
    }

    private void signal(String name) {
        try {
            var kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
                    .redirectErrorStream(true)
                    .start();
            if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new MysqlServerException("SIG" + name + " could not be sent to mysqld (process " + pid() + "): "
                        + new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new MysqlServerException("sh can't be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MysqlServerException("interrupted while sending SIG" + name, e);
        }
    }

    private static void stopAll() {
        LIVE.forEach(server -> {
            server.resume();
            server.process.destroy();
        });
        var deadline = System.nanoTime() + STOP_AT_EXIT.toNanos();
        for (var server : LIVE) {
            try {
                server.await(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            } catch (MysqlServerException e) {
                server.process.destroyForcibly();
            }
        }
    }

    /** The last lines of a log file, errors first; empty when there is no such file. */
    static String tail(Path log) {
        if (!Files.exists(log)) {
            return "";
        }
        try {
            var lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.contains("[System]"))
                    .toList();
            return "\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "\n(" + log + " can't be read: " + e.getMessage() + ")";
        }
    }
}
