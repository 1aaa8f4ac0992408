package dev.shardwright.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.ConsoleHandler;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jboss.logmanager.formatters.PatternFormatter;

/** Where this process logs: outside of Quarkus the log manager has no place by itself. */
final class ProcessLog {
    private ProcessLog() {}

    /** To standard error, where {@code kubectl logs} finds it: one line for each event. */
    static void toConsole() {
        to(new ConsoleHandler(), new PatternFormatter("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5p %c{1}: %s%e%n"));
    }

    /** To a file, so that the terminal belongs to the command. */
    static void toFile(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        to(new FileHandler(file.toString(), true), new SimpleFormatter());
    }

    private static void to(Handler handler, Formatter formatter) {
        handler.setFormatter(formatter);
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
