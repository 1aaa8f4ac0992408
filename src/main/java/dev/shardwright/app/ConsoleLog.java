package dev.shardwright.app;

import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;

/** Sends the log of this process to its standard error, where {@code kubectl logs} finds it: one line for each event. */
final class ConsoleLog {
    private ConsoleLog() {}

    static void use() {
        var handler = new ConsoleHandler();
        handler.setFormatter(new PatternFormatter("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5p %c{1}: %s%e%n"));
        handler.setLevel(Level.INFO);
        var root = LogManager.getLogManager().getLogger("");
        for (var other : root.getHandlers()) {
            root.removeHandler(other);
        }
        root.addHandler(handler);
        root.setLevel(Level.INFO);
        // It tells of each pool that opens and closes.
        Logger.getLogger("com.zaxxer").setLevel(Level.WARNING);
    }
}
