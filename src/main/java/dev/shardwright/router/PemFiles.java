package dev.shardwright.router;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What TLS needs from the files of a Secret. They are read again when they look different; what can't be used then
 * leaves the last good ones in force. Connections keep what they began with.
 */
final class PemFiles {
    private static final Logger log = LoggerFactory.getLogger(PemFiles.class);

    private final List<Path> files;
    private final Words words;
    private final Use use;
    private byte[][] contents;
    private volatile SslContext context;

    /** The files' contents, in order. IllegalArgumentException when they can't be used. */
    interface Use {
        SslContextBuilder of(InputStream[] contents);
    }

    /**
     * What people are told.
     *
     * @param must how the files must be
     * @param taken that new ones are in force
     * @param kept that new ones can't be used
     */
    record Words(String must, String taken, String kept) {}

    /** UncheckedIOException when they can't be used. */
    PemFiles(List<Path> files, Words words, Use use) {
        this.files = files;
        this.words = words;
        this.use = use;
        try {
            contents = read();
            context = context(contents);
        } catch (IOException e) {
            throw new UncheckedIOException(problem(e), e);
        }
    }

    private String problem(IOException e) {
        return words.must() + ": " + e.getMessage();
    }

    private byte[][] read() throws IOException {
        var all = new byte[files.size()][];
        for (int i = 0; i < all.length; i++) {
            all[i] = Files.readAllBytes(files.get(i));
        }
        return all;
    }

    private SslContext context(byte[][] from) throws IOException {
        try {
            var streams = Arrays.stream(from).map(ByteArrayInputStream::new).toArray(InputStream[]::new);
            return use.of(streams).protocols("TLSv1.3", "TLSv1.2").build();
        } catch (IllegalArgumentException e) {
            var cause = e.getCause();
            throw new IOException(cause == null ? e.getMessage() : cause.getMessage(), e);
        }
    }

    /** For connections that begin now. */
    SslContext context() {
        return context;
    }

    /** Called now and then, off the event loops. */
    synchronized void refresh() {
        try {
            var now = read();
            if (Arrays.deepEquals(now, contents)) {
                return;
            }
            // Several files may be of different ages for a moment; the next look sees what belongs together.
            context = context(now);
            contents = now;
            log.info("{}", words.taken());
        } catch (IOException e) {
            log.error("{}: {}", words.kept(), problem(e));
        }
    }
}
