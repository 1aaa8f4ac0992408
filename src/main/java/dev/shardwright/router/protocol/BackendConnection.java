package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.LogicalPacket;
import dev.shardwright.mysql.wire.MalformedPacketException;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.topology.model.ShardEntry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to one shard's server, logged in as the client's user. It runs one command at a time and
 * everything happens on its event loop, which is the client's.
 */
public final class BackendConnection extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(BackendConnection.class);

    private final ShardEntry shard;
    private final long serverSession;
    private final Channel channel;
    private final boolean queryAttributes;
    private final ResponseScanner scanner;
    private @Nullable ResponseSink sink;
    private @Nullable ByteBuf rest;
    private @Nullable Runnable onClose;
    private @Nullable Runnable onDefect;
    private @Nullable Runnable onWritable;
    private boolean closed;
    private boolean doomed;

    /**
     * @param capabilities those that both sides have
     * @param status the server's at the login
     */
    BackendConnection(ShardEntry shard, long serverSession, Channel channel, int capabilities, int status) {
        this.shard = shard;
        this.serverSession = serverSession;
        this.channel = channel;
        this.queryAttributes = Capability.has(capabilities, Capability.QUERY_ATTRIBUTES);
        this.scanner = new ResponseScanner(capabilities, status);
    }

    public ShardEntry shard() {
        return shard;
    }

    /** Whether the server expects query attributes with each COM_QUERY and COM_STMT_EXECUTE, be it none. */
    public boolean queryAttributes() {
        return queryAttributes;
    }

    /** Its id at the server, as SHOW PROCESSLIST has it; of an id above 32 bits the lower ones. */
    public long serverSession() {
        return serverSession;
    }

    public boolean isOpen() {
        return !closed && !doomed && channel.isActive();
    }

    public boolean isBusy() {
        return sink != null;
    }

    /** Called once, when the connection has gone for whatever reason; after the running command's sink. */
    public void onClose(Runnable action) {
        onClose = action;
    }

    /** Called when the router itself fails on an answer; the command that runs will not be answered. */
    public void onDefect(Runnable action) {
        onDefect = action;
    }

    /**
     * Sends a command and hands its response to the sink.
     *
     * @param command a whole command, headers included; released here
     */
    public ResponseScanner send(ByteBuf command, ResponseScanner.Kind kind, ResponseSink target) {
        if (sink != null) {
            command.release();
            throw new IllegalStateException("a command is running on this connection to " + shard.name());
        }
        scanner.begin(kind, LogicalPacket.count(command.readableBytes()));
        sink = target;
        channel.writeAndFlush(command, channel.voidPromise());
        return scanner;
    }

    /** Sends more of what the running command needs. */
    public void sendMore(ByteBuf packets) {
        channel.writeAndFlush(packets, channel.voidPromise());
    }

    /** False while the server is slow to read. */
    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Called whenever the server reads again after it was slow; null: nobody wants to know any more. */
    public void onWritable(@Nullable Runnable action) {
        onWritable = action;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (onWritable != null && context.channel().isWritable()) {
            onWritable.run();
        }
    }

    /** Sends a command that has no response, with the next one or at the next {@link #flush}. */
    public void sendOneWay(ByteBuf command) {
        channel.write(command, channel.voidPromise());
    }

    public void flush() {
        channel.flush();
    }

    public EventLoop eventLoop() {
        return channel.eventLoop();
    }

    /** Stops or goes on with reading, for the sake of a slow client. */
    public void setReading(boolean reading) {
        channel.config().setAutoRead(reading);
    }

    public void close() {
        channel.close();
        lost();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        var in = joined((ByteBuf) message);
        try {
            rest = null;
            consume(in);
        } catch (MalformedPacketException e) {
            log.warn("shard {} at {}: {}", shard.name(), shard.primary(), e.getMessage());
            close();
        } catch (RuntimeException e) {
            log.error("shard {}: an answer could not be handled", shard.name(), e);
            close();
            if (onDefect != null) {
                onDefect.run();
            }
        } finally {
            keepRest(in);
        }
    }

    private void keepRest(ByteBuf in) {
        if (in.isReadable() && !closed) {
            rest = in;
        } else {
            in.release();
        }
    }

    private ByteBuf joined(ByteBuf arrived) {
        var before = rest;
        if (before == null) {
            return arrived;
        }
        // What was passed on shares its memory and must not move; else the buffer grows by doubling.
        if (before.refCnt() == 1) {
            try {
                return before.discardSomeReadBytes().writeBytes(arrived);
            } finally {
                arrived.release();
            }
        }
        try {
            var joined = channel.alloc().buffer(before.readableBytes() + arrived.readableBytes());
            return joined.writeBytes(before).writeBytes(arrived);
        } finally {
            before.release();
            arrived.release();
        }
    }

    private void consume(ByteBuf in) {
        var target = sink;
        if (target == null) {
            // Only a server that ends this session speaks unasked.
            in.skipBytes(in.readableBytes());
            close();
            return;
        }
        int length = scanner.scan(in);
        if (scanner.done()) {
            // More than the response: the server has ended this session, so nothing else may be sent.
            doomed = in.readableBytes() > length;
        }
        deliver(target, in.readRetainedSlice(length));
        if (doomed) {
            in.skipBytes(in.readableBytes());
            close();
        }
        if (sink == target) {
            scanner.checkSound();
        }
    }

    private void deliver(ResponseSink target, ByteBuf bytes) {
        var error = scanner.error();
        if (error != null && !scanner.begun()) {
            sink = null;
            target.onError(error, bytes);
            return;
        }
        target.onBytes(bytes);
        if (scanner.takeFileRequest() && sink == target) {
            target.onFileRequest(scanner);
        }
        if (scanner.done() && sink == target) {
            sink = null;
            target.onComplete(scanner);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        var target = sink;
        if (target != null) {
            target.onFlush();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        lost();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        log.debug("connection to shard {}: {}", shard.name(), cause.toString());
        close();
    }

    private void lost() {
        if (closed) {
            return;
        }
        closed = true;
        var left = rest;
        rest = null;
        if (left != null) {
            left.release();
        }
        var target = sink;
        sink = null;
        if (target != null) {
            target.onLost(scanner);
        }
        if (onClose != null) {
            onClose.run();
        }
    }
}
