package dev.shardwright.router;

import dev.shardwright.router.protocol.ServerTls;
import dev.shardwright.topology.model.Endpoint;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whose certificates the shards' servers must have: the file {@code ca.crt} of a Secret. */
final class ServerAuthority implements ServerTls {
    static final String AUTHORITY = "ca.crt";

    private final @Nullable String serverName;
    private final PemFiles files;

    /** UncheckedIOException when the file can't be used. */
    ServerAuthority(RouterConfig.ServerTls settings) {
        var file = settings.directory().resolve(AUTHORITY);
        serverName = settings.name();
        files = new PemFiles(
                List.of(file),
                new PemFiles.Words(
                        file + " must be the certificates, in PEM, of those who sign the servers' certificates",
                        "new connections to servers trust the new " + file,
                        "what was trusted before stays in force"),
                contents -> SslContextBuilder.forClient()
                        .trustManager(contents[0])
                        .endpointIdentificationAlgorithm("HTTPS"));
    }

    @Override
    public SslHandler handler(ByteBufAllocator allocator, Endpoint server) {
        return files.context().newHandler(allocator, name(server), server.port());
    }

    @Override
    public String name(Endpoint server) {
        return serverName == null ? server.host() : serverName;
    }

    /** Called now and then, off the event loops. */
    void refresh() {
        files.refresh();
    }
}
