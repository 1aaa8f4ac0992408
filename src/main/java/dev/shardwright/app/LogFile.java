package dev.shardwright.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.FileHandler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Sends the log of this process to a file, so that the terminal belongs to the command. */
final class LogFile {
    private LogFile() {}

    static void use(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        var handler = new FileHandler(file.toString(), true);
        handler.setFormatter(new SimpleFormatter());
        handler.setLevel(Level.INFO);
        var root = LogManager.getLogManager().getLogger("");
        for (var other : root.getHandlers()) {
            root.removeHandler(other);
        }
        root.addHandler(handler);
        root.setLevel(Level.INFO);
        Logger.getLogger("com.zaxxer").setLevel(Level.WARNING);
    }
}
