package dev.shardwright.router;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.util.List;

/** The router's certificate and key, in the files of a Secret of type kubernetes.io/tls. */
final class Certificates {
    static final String CERTIFICATE = "tls.crt";
    static final String KEY = "tls.key";

    private final PemFiles files;

    /** UncheckedIOException when they can't be used. */
    Certificates(Path directory) {
        files = new PemFiles(
                List.of(directory.resolve(CERTIFICATE), directory.resolve(KEY)),
                new PemFiles.Words(
                        directory + ": " + CERTIFICATE + " and " + KEY
                                + " must be a certificate chain and its key in PEM, the key"
                                + " in PKCS #8 without a password (openssl pkcs8 -topk8 -nocrypt makes one)",
                        "new connections get the new certificate of " + directory,
                        "the certificate known before stays in force"),
                contents -> SslContextBuilder.forServer(contents[0], contents[1]));
    }

    /** For connections that begin now. */
    SslContext current() {
        return files.context();
    }

    /** Called now and then, off the event loops. */
    void refresh() {
        files.refresh();
    }
}
