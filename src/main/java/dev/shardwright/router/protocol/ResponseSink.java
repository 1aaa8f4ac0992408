package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.MalformedPacketException;
import dev.shardwright.mysql.wire.ResponseScanner;
import io.netty.buffer.ByteBuf;

/** Takes one command's response. Exactly one of the last three methods ends it. */
public interface ResponseSink {

    /** The next part of the response, not necessarily whole packets. The sink releases it. */
    void onBytes(ByteBuf bytes);

    /** All that had arrived has been handed over. */
    default void onFlush() {}

    /**
     * The server waits for a file's content: packets up to an empty one, to be sent by {@link
     * BackendConnection#sendMore}; the response goes on when it has them.
     */
    default void onFileRequest(ResponseScanner result) {
        throw new MalformedPacketException("the server asks for a file, and no statement of ours loads one");
    }

    /** The response is complete; {@code result} is valid during the call. */
    void onComplete(ResponseScanner result);

    /** The server answered with an error and nothing else. The sink releases the packet. */
    void onError(ErrPacket error, ByteBuf packet);

    /** The connection is gone; {@code result} tells how far the response had come. */
    void onLost(ResponseScanner result);
}
