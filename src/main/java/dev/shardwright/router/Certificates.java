package dev.shardwright.router;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The router's certificate and key, in the files of a Secret of type kubernetes.io/tls. They are read again when they
 * look different; what can't be used then leaves the last good ones in force. Connections keep what they began with.
 */
final class Certificates {
    private static final Logger log = LoggerFactory.getLogger(Certificates.class);
    static final String CERTIFICATE = "tls.crt";
    static final String KEY = "tls.key";

    private final Path directory;
    private byte[] certificate;
    private byte[] key;
    private volatile SslContext context;

    /** UncheckedIOException when they can't be used. */
    Certificates(Path directory) {
        this.directory = directory;
        try {
            certificate = Files.readAllBytes(directory.resolve(CERTIFICATE));
            key = Files.readAllBytes(directory.resolve(KEY));
            context = context(certificate, key);
        } catch (IOException e) {
            throw new UncheckedIOException(problem(e), e);
        }
    }

    private String problem(IOException e) {
        return directory + ": " + CERTIFICATE + " and " + KEY
                + " must be a certificate chain and its key in PEM, the key"
                + " in PKCS #8 without a password (openssl pkcs8 -topk8 -nocrypt makes one): " + e.getMessage();
    }

    private static SslContext context(byte[] certificate, byte[] key) throws IOException {
        try {
            return SslContextBuilder.forServer(new ByteArrayInputStream(certificate), new ByteArrayInputStream(key))
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
        } catch (IllegalArgumentException e) {
            var cause = e.getCause();
            throw new IOException(cause == null ? e.getMessage() : cause.getMessage(), e);
        }
    }

    /** For connections that begin now. */
    SslContext current() {
        return context;
    }

    /** Called now and then, off the event loops. */
    synchronized void refresh() {
        try {
            var newCertificate = Files.readAllBytes(directory.resolve(CERTIFICATE));
            var newKey = Files.readAllBytes(directory.resolve(KEY));
            if (Arrays.equals(newCertificate, certificate) && Arrays.equals(newKey, key)) {
                return;
            }
            // The two files may be of different ages for a moment; the next look sees a pair.
            context = context(newCertificate, newKey);
            certificate = newCertificate;
            key = newKey;
            log.info("new connections get the new certificate of {}", directory);
        } catch (IOException e) {
            log.error("the certificate known before stays in force: {}", problem(e));
        }
    }
}
