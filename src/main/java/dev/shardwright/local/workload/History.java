package dev.shardwright.local.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Reads what the clients remembered. */
final class History {

    /** Gets each write with its outcome, and each anomaly, in the order of one thread's history. */
    interface Listener {
        void write(Operation operation, Outcome outcome);

        void anomaly(String text);
    }

    private static final Outcome NEVER_TOLD = new Outcome.Unknown(0, "the client ended before it knew");

    private final Map<Long, Operation> pending = new HashMap<>();
    private final Listener listener;

    private History(Listener listener) {
        this.listener = listener;
    }

    /** Reads all histories of a directory; returns how many there were. */
    static int readAll(Path directory, Listener listener) {
        try (Stream<Path> files = Files.list(directory)) {
            var histories = files.filter(file -> file.toString().endsWith(HistoryLog.SUFFIX))
                    .sorted()
                    .toList();
            histories.forEach(file -> readFile(file, listener));
            return histories.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readFile(Path file, Listener listener) {
        try {
            String text = Files.readString(file);
            // A client that was killed may leave half a line; what it says had not been sent yet.
            read(text.substring(0, text.lastIndexOf('\n') + 1).lines(), listener);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            throw new IllegalStateException(file + " is not a history: " + e.getMessage(), e);
        }
    }

    /** Reads the lines of one thread's history. */
    static void read(Stream<String> lines, Listener listener) {
        var history = new History(listener);
        lines.forEachOrdered(history::line);
        history.pending.values().forEach(operation -> listener.write(operation, NEVER_TOLD));
    }

    private void line(String line) {
        String[] words = line.split(" ", 3);
        long number = Long.parseLong(words[0]);
        switch (words[1]) {
            case "intend" -> pending.put(number, Operation.decode(words[2]));
            case "acknowledged" -> told(number, new Outcome.Acknowledged(Integer.parseInt(words[2])));
            case "failed" -> told(number, new Outcome.Failed(errno(words[2]), words[2]));
            case "unknown" -> told(number, new Outcome.Unknown(errno(words[2]), words[2]));
            case "anomaly" -> listener.anomaly(words[2]);
            default -> throw new IllegalArgumentException("what is '" + line + "'?");
        }
    }

    private static int errno(String words) {
        return Integer.parseInt(words.split(" ", 2)[0]);
    }

    private void told(long number, Outcome outcome) {
        var operation = pending.remove(number);
        if (operation == null) {
            throw new IllegalArgumentException("the outcome of operation " + number + " comes without its intention");
        }
        listener.write(operation, outcome);
    }
}
