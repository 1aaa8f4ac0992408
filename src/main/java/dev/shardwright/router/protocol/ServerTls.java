package dev.shardwright.router.protocol;

import dev.shardwright.topology.model.Endpoint;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;

/** Encrypts connections to the shards' servers and checks who is at the other end. */
public interface ServerTls {
    /** For a connection that begins now; its handshake fails when the server's certificate is not good for it. */
    SslHandler handler(ByteBufAllocator allocator, Endpoint server);

    /** The name that this server's certificate must be for. */
    String name(Endpoint server);
}
