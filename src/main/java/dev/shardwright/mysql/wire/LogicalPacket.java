package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** A packet with all the packets that continue it, lying in a buffer. */
public final class LogicalPacket {
    private LogicalPacket() {}

    /**
     * Where the packet that begins at {@code at} ends, or {@code at} when it is not all there.
     *
     * @param limit MalformedPacketException when it is longer than that, in bytes
     */
    public static int end(ByteBuf in, int at, int end, int limit) {
        int piece = at;
        while (true) {
            int body = piece + PacketBuilder.HEADER;
            if (body > end) {
                return at;
            }
            int length = in.getUnsignedMediumLE(piece);
            if (body + length - at > limit) {
                throw new MalformedPacketException("a packet of more than " + limit + " bytes");
            }
            if (body + length > end) {
                return at;
            }
            piece = body + length;
            if (length < PacketBuilder.FULL) {
                return piece;
            }
        }
    }

    /**
     * In how many packets it is.
     *
     * @param bytes its length, headers included
     */
    public static int count(int bytes) {
        int piece = PacketBuilder.FULL + PacketBuilder.HEADER;
        return (bytes + piece - 1) / piece;
    }

    /** The payload without the headers; a slice of the buffer if it is in one piece, else a copy. */
    public static ByteBuf payload(ByteBuf in, int at, int after) {
        if (after - at < PacketBuilder.FULL + PacketBuilder.HEADER) {
            return in.slice(at + PacketBuilder.HEADER, after - at - PacketBuilder.HEADER);
        }
        var joined = Unpooled.buffer(after - at);
        for (int piece = at; piece < after; ) {
            int length = in.getUnsignedMediumLE(piece);
            joined.writeBytes(in, piece + PacketBuilder.HEADER, length);
            piece += PacketBuilder.HEADER + length;
        }
        return joined;
    }
}
