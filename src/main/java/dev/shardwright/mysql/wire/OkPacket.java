package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** What a server answers to a statement without a result set. */
public record OkPacket(long affectedRows, long lastInsertId, int status, int warnings) {
    public static final int HEADER = 0x00;
    /** Header of an EOF packet, and of an OK packet that ends a result set. */
    public static final int EOF_HEADER = 0xfe;

    public static OkPacket of(int status) {
        return new OkPacket(0, 0, status, 0);
    }

    /** Status field of the packet with this payload, whose indexes stay. MalformedPacketException when it ends before that. */
    public static int status(ByteBuf payload) {
        var in = new PayloadReader(payload.slice());
        in.int1();
        in.lengthEncoded();
        in.lengthEncoded();
        return in.int2();
    }

    public OkPacket withStatus(int more) {
        return more == 0 ? this : new OkPacket(affectedRows, lastInsertId, status | more, warnings);
    }

    /**
     * Tells of these changes as well if the client has {@link Capability#SESSION_TRACK}. Returns the next sequence number.
     *
     * @param changes null: none
     * @param capabilities what client and server have agreed on
     */
    public int write(ByteBuf out, int sequence, @Nullable SessionChanges changes, int capabilities) {
        if (changes == null || !Capability.has(capabilities, Capability.SESSION_TRACK)) {
            return write(out, sequence);
        }
        return PacketBuilder.begin(out, sequence)
                .int1(HEADER)
                .lengthEncoded(affectedRows)
                .lengthEncoded(lastInsertId)
                .int2(status | ServerStatus.SESSION_STATE_CHANGED)
                .int2(warnings)
                // The message, which is empty.
                .lengthEncoded(0)
                .lengthEncoded(changes.length())
                .bytes(changes.bytes())
                .end();
    }

    /** Returns the next sequence number. */
    public int write(ByteBuf out, int sequence) {
        return write(out, sequence, HEADER);
    }

    /** Ends a result set or a list of columns, in the dialect that the client speaks. */
    public static int writeEnd(ByteBuf out, int sequence, int status, int warnings, boolean deprecateEof) {
        if (deprecateEof) {
            return new OkPacket(0, 0, status, warnings).write(out, sequence, EOF_HEADER);
        }
        return writeEof(out, sequence, status, warnings);
    }

    public static int writeEof(ByteBuf out, int sequence, int status, int warnings) {
        return PacketBuilder.begin(out, sequence)
                .int1(EOF_HEADER)
                .int2(warnings)
                .int2(status)
                .end();
    }

    private int write(ByteBuf out, int sequence, int header) {
        return PacketBuilder.begin(out, sequence)
                .int1(header)
                .lengthEncoded(affectedRows)
                .lengthEncoded(lastInsertId)
                .int2(status)
                .int2(warnings)
                .end();
    }
}
