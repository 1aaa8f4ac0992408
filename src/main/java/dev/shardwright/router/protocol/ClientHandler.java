package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.MalformedPacketException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a logged-in client's pipeline: hands commands and changes of the connection on. */
final class ClientHandler extends ChannelInboundHandlerAdapter {
    static final String NAME = "client";
    private static final Logger log = LoggerFactory.getLogger(ClientHandler.class);

    private final String client;
    private @Nullable CommandListener listener;

    ClientHandler(String client) {
        this.client = client;
    }

    void listen(CommandListener commands) {
        listener = commands;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        var commands = listener;
        if (commands == null) {
            ((ByteBuf) message).release();
            context.close();
        } else {
            commands.onCommand((ByteBuf) message);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (listener != null) {
            listener.onWritable(context.channel().isWritable());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (listener != null) {
            listener.onGone();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        switch (event) {
            case ClientFrames.Broken broken -> {
                log.info("client {} is closed: {}", client, broken.error().message());
                new ClientOutput(context.channel(), 0).errorAndClose(1, broken.error());
            }
            case ClientFrames.Refused refused -> {
                log.info("client {}: {}", client, refused.error().message());
                if (listener != null) {
                    listener.onRefused(refused);
                }
            }
            default -> {}
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var reason = cause instanceof io.netty.handler.codec.DecoderException && cause.getCause() != null
                ? cause.getCause()
                : cause;
        switch (reason) {
            case MalformedPacketException malformed -> {
                log.info("client {} is closed: {}", client, malformed.getMessage());
                new ClientOutput(context.channel(), 0).errorAndClose(1, ErrorCatalogue.malformedPacket());
            }
            case IOException gone -> context.close();
            default -> {
                log.error("client {} is closed after an unexpected failure", client, reason);
                if (listener != null) {
                    listener.onDefect();
                }
                context.close();
            }
        }
    }
}
