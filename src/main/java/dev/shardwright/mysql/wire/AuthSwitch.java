package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;

/** The packet by which a server asks a client for a proof by another plugin, or with another nonce. */
public final class AuthSwitch {
    public static final int HEADER = 0xfe;

    private AuthSwitch() {}

    /** Returns the next sequence number. */
    public static int write(ByteBuf out, int sequence, String plugin, byte[] nonce) {
        return PacketBuilder.begin(out, sequence)
                .int1(HEADER)
                .nulTerminated(plugin)
                .bytes(nonce)
                .int1(0)
                .end();
    }
}
