package dev.shardwright.router.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses a PROXY header from whom none is taken, and steps aside as soon as something else comes. */
final class UnwantedProxyHeader extends ByteToMessageDecoder {
    private static final Logger log = LoggerFactory.getLogger(UnwantedProxyHeader.class);
    /** The first bytes of the two versions; a login packet has its number, 1, as the fourth. */
    private static final int VERSION_2 = 0x0d0a0d0a;

    private static final int VERSION_1 = 'P' << 24 | 'R' << 16 | 'O' << 8 | 'X';

    private boolean refused;

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (refused) {
            in.skipBytes(in.readableBytes());
        } else if (in.readableBytes() >= Integer.BYTES) {
            int first = in.getInt(in.readerIndex());
            if (first == VERSION_1 || first == VERSION_2) {
                refuse(context);
            } else {
                context.pipeline().remove(this);
            }
        }
    }

    private void refuse(ChannelHandlerContext context) {
        refused = true;
        var error = ErrorCatalogue.proxyHeaderRefused(
                ProxyProtocol.clientHost(context.channel()),
                "it sent a PROXY header, but is in none of the networks from which the router takes one");
        log.info("a connection is closed: {}", error.message());
        new ClientOutput(context.channel(), 0).errorAndClose(1, error);
    }
}
