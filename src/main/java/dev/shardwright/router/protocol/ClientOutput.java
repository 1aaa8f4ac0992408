package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.OkPacket;
import dev.shardwright.mysql.wire.SessionChanges;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** What goes to the client. Writes are sent at the next flush; answers that end a command flush themselves. */
public final class ClientOutput {
    private final Channel channel;
    private final int capabilities;
    private long bytes;

    public ClientOutput(Channel channel, int capabilities) {
        this.channel = channel;
        this.capabilities = capabilities;
    }

    public boolean deprecateEof() {
        return Capability.has(capabilities, Capability.DEPRECATE_EOF);
    }

    /** Whether the head of each result tells whether its columns' metadata follows. */
    public boolean optionalMetadata() {
        return Capability.has(capabilities, Capability.OPTIONAL_RESULTSET_METADATA);
    }

    public Channel channel() {
        return channel;
    }

    /** False while the client is slow to read. */
    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Takes ownership. */
    public void write(ByteBuf packets) {
        bytes += packets.readableBytes();
        channel.write(packets, channel.voidPromise());
    }

    public void flush() {
        channel.flush();
    }

    /** Tells of these changes of the session as well, if the client wants to know; null: none. */
    public void ok(int sequence, OkPacket packet, @Nullable SessionChanges changes) {
        var out = channel.alloc().buffer(64);
        packet.write(out, sequence, changes, capabilities);
        write(out);
        flush();
    }

    public void error(int sequence, ErrPacket error) {
        var out = channel.alloc().buffer(128);
        error.write(out, sequence);
        write(out);
        flush();
    }

    /** Ends the connection after an error that is the last word. */
    public void errorAndClose(int sequence, ErrPacket error) {
        var out = channel.alloc().buffer(128);
        error.write(out, sequence);
        channel.writeAndFlush(out).addListener(io.netty.channel.ChannelFutureListener.CLOSE);
    }

    public void close() {
        channel.close();
    }

    /** Bytes written so far. */
    public long bytes() {
        return bytes;
    }
}
