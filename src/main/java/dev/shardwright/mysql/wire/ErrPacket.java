package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** An error as a server tells it. */
public record ErrPacket(int errno, String sqlState, String message) {
    public static final int HEADER = 0xff;

    /** Reads the payload, which begins with 0xff. */
    public static ErrPacket read(ByteBuf payload) {
        var in = new PayloadReader(payload);
        in.int1();
        int errno = in.int2();
        var rest = new String(in.rest(), StandardCharsets.UTF_8);
        if (rest.startsWith("#") && rest.length() >= 6) {
            return new ErrPacket(errno, rest.substring(1, 6), rest.substring(6));
        }
        return new ErrPacket(errno, "HY000", rest);
    }

    /** Returns the next sequence number. */
    public int write(ByteBuf out, int sequence) {
        return PacketBuilder.begin(out, sequence)
                .int1(HEADER)
                .int2(errno)
                .text("#")
                .text(sqlState)
                .text(message)
                .end();
    }
}
