package dev.shardwright.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM of its own for a part of a keyspace, which can be killed and stopped as any process. */
final class ControlledProcess {
    private final Process process;
    private final BlockingQueue<String> reached = new LinkedBlockingQueue<>();
    private volatile boolean stopped;

    private ControlledProcess(Process process) {
        this.process = process;
    }

    /** {@code log}: gets what it prints. */
    static ControlledProcess start(Path log, Class<?> main, List<String> arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xmx160m",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        try {
            var started = new ControlledProcess(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start());
            Thread.ofVirtual().start(started::listen);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void listen() {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(Control.AT)) {
                    reached.add(line.substring(Control.AT.length()));
                }
            }
        } catch (IOException e) {
            // It was killed.
        }
    }

    void holdAt(String point) {
        tell(Control.HOLD + point);
    }

    void go() {
        tell(Control.GO);
    }

    private void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // It was killed, and needs no telling.
        }
    }

    /** Whether it has come to the point where it is held, within this time. */
    boolean awaitHeld(long millis) throws InterruptedException {
        return reached.poll(millis, TimeUnit.MILLISECONDS) != null;
    }

    boolean alive() {
        return process.isAlive();
    }

    /** SIGKILL; returns when it is gone. */
    void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGSTOP: it keeps its connections and answers nothing. */
    void stop() {
        signal("STOP");
        stopped = true;
    }

    /** SIGCONT. */
    void resume() {
        if (stopped && alive()) {
            signal("CONT");
        }
        stopped = false;
    }

    private void signal(String name) {
        try {
            var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (kill.waitFor() != 0 && alive()) {
                throw new IllegalStateException("SIG" + name + " can't be sent to process " + process.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
