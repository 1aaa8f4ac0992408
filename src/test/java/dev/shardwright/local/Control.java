package dev.shardwright.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * In a process under test: holds it at a point that the test has named, so that a fault strikes exactly there. The
 * lines {@code hold POINT} and {@code go} come in, {@code @at POINT} goes out. It ends with the test.
 */
final class Control {
    static final String AT = "@at ";
    static final String HOLD = "hold ";
    static final String GO = "go";

    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final Semaphore go = new Semaphore(0);
    private volatile String held = "";

    /** Reads one line at once: what a process that has just been started is told first. Logs to standard error. */
    static Control start() throws IOException {
        var root = Logger.getLogger("");
        root.addHandler(new ConsoleHandler());
        root.setLevel(Level.INFO);
        var control = new Control();
        control.obey(control.in.readLine());
        Thread.ofPlatform().daemon().name("control").start(control::listen);
        return control;
    }

    private void listen() {
        try {
            while (true) {
                obey(in.readLine());
            }
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }

    private void obey(@org.jspecify.annotations.Nullable String line) {
        if (line == null) {
            // The test's JVM is gone.
            Runtime.getRuntime().halt(1);
        } else if (line.startsWith(HOLD)) {
            held = line.substring(HOLD.length());
        } else if (line.equals(GO)) {
            go.release();
        }
    }

    void reach(Enum<?> point) {
        synchronized (this) {
            if (!point.name().equals(held)) {
                return;
            }
            held = "";
            go.drainPermits();
        }
        System.out.println(AT + point.name());
        System.out.flush();
        go.acquireUninterruptibly();
    }
}
