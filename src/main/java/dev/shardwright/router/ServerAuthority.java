package dev.shardwright.router;

import dev.shardwright.router.protocol.ServerTls;
import dev.shardwright.topology.model.Endpoint;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whose certificates the shards' servers must have: the file {@code ca.crt} of a Secret. It is read again when it looks
 * different; what can't be used then leaves the last good one in force. Connections keep what they began with.
 */
final class ServerAuthority implements ServerTls {
    private static final Logger log = LoggerFactory.getLogger(ServerAuthority.class);
    static final String AUTHORITY = "ca.crt";

    private final Path file;
    private final @Nullable String serverName;
    private byte[] authority;
    private volatile SslContext context;

    /** UncheckedIOException when the file can't be used. */
    ServerAuthority(RouterConfig.ServerTls settings) {
        this.file = settings.directory().resolve(AUTHORITY);
        this.serverName = settings.name();
        try {
            authority = Files.readAllBytes(file);
            context = context(authority);
        } catch (IOException e) {
            throw new UncheckedIOException(problem(e), e);
        }
    }

    private String problem(IOException e) {
        return file + " must be the certificates, in PEM, of those who sign the servers' certificates: "
                + e.getMessage();
    }

    private static SslContext context(byte[] authority) throws IOException {
        try {
            return SslContextBuilder.forClient()
                    .trustManager(new ByteArrayInputStream(authority))
                    .endpointIdentificationAlgorithm("HTTPS")
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
        } catch (IllegalArgumentException e) {
            var cause = e.getCause();
            throw new IOException(cause == null ? e.getMessage() : cause.getMessage(), e);
        }
    }

    @Override
    public SslHandler handler(ByteBufAllocator allocator, Endpoint server) {
        return context.newHandler(allocator, name(server), server.port());
    }

    @Override
    public String name(Endpoint server) {
        return serverName == null ? server.host() : serverName;
    }

    /** Called now and then, off the event loops. */
    synchronized void refresh() {
        try {
            var now = Files.readAllBytes(file);
            if (Arrays.equals(now, authority)) {
                return;
            }
            context = context(now);
            authority = now;
            log.info("new connections to servers trust the new {}", file);
        } catch (IOException e) {
            log.error("what was trusted before stays in force: {}", problem(e));
        }
    }
}
