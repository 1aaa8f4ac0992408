package dev.shardwright.local.workload;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The append-only memory of one thread of one client. An operation is written down before it is sent,
 * so that a client that is killed leaves no write that nobody knows of. Not thread-safe.
 */
final class HistoryLog implements AutoCloseable {
    static final String SUFFIX = ".history";

    private final BufferedWriter out;
    private long sequence;

    HistoryLog(Path directory, String thread) {
        var file = directory.resolve(thread + SUFFIX);
        try {
            Files.createDirectories(directory);
            out = Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new IllegalStateException(
                    file + " is there already: a client's ids serve only once, so give another --client or --history",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes that this operation is about to be sent; returns the number that its outcome names. */
    long intend(Operation operation) {
        sequence++;
        line(sequence + " intend " + operation.encode());
        return sequence;
    }

    void outcome(long number, Outcome outcome) {
        line(number + " "
                + switch (outcome) {
                    case Outcome.Acknowledged(int rows) -> "acknowledged " + rows;
                    case Outcome.Failed(int errno, String message) -> "failed " + errno + " " + message;
                    case Outcome.Unknown(int errno, String message) -> "unknown " + errno + " " + message;
                });
    }

    /** Notes an answer that can't be right, whatever happens later. */
    void anomaly(String text) {
        line("0 anomaly " + text.replaceAll("\\s+", " "));
    }

    private void line(String text) {
        try {
            out.write(text);
            out.write('\n');
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the history can't be written, so the workload stops: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
