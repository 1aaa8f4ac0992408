package dev.shardwright.local.demo;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Lines for somebody who watches. On a terminal the line of what is going on at the moment is written
 * over and over; elsewhere it is written now and then, so that a log stays short.
 */
public final class Terminal {
    private static final long QUIET_NANOS = 5_000_000_000L;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream out;
    private final boolean live;
    private final boolean colour;
    private boolean openLine;
    private long lastQuietLine = System.nanoTime();

    public Terminal(PrintStream out, boolean terminal) {
        this.out = out;
        this.live = terminal;
        this.colour = terminal && System.getenv("NO_COLOR") == null;
    }

    /** Standard output. */
    public static Terminal standard() {
        var console = System.console();
        return new Terminal(System.out, console != null && console.isTerminal());
    }

    public synchronized void title(String text) {
        line(paint("1", text));
    }

    public synchronized void line(String text) {
        endOpenLine();
        out.println(text);
        out.flush();
    }

    /** Something has been done: what, how long it took, and more about it. */
    public synchronized void done(String what, double seconds, String more) {
        line(mark("32", "ok")
                + String.format(Locale.ROOT, "  %-44s %7.1f s", what, seconds)
                + (more.isEmpty() ? "" : "   " + more));
    }

    /** What is going on at the moment. */
    public synchronized void now(String message) {
        String text = message.replaceAll("\\s*\n\\s*", " ");
        if (live) {
            out.print(CLEAR_LINE + "    " + text);
            out.flush();
            openLine = true;
        } else if (System.nanoTime() - lastQuietLine > QUIET_NANOS) {
            lastQuietLine = System.nanoTime();
            line("    " + text);
        }
    }

    public synchronized void good(String text) {
        line(paint("1;32", text));
    }

    public synchronized void bad(String text) {
        line(mark("1;31", "!!") + "  " + text);
    }

    private String mark(String code, String text) {
        return paint(code, text);
    }

    private String paint(String code, String text) {
        return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    private void endOpenLine() {
        if (openLine) {
            out.print(CLEAR_LINE);
            openLine = false;
        }
        lastQuietLine = System.nanoTime();
    }
}
