package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Appends one packet, header included, to a buffer. A payload of 16 MiB and more becomes several packets. */
public final class PacketBuilder {
    /** Payload length of a packet that is continued by the next one. */
    public static final int FULL = 0xffffff;

    public static final int HEADER = 4;

    private final ByteBuf out;
    private final int start;
    private final int sequence;

    private PacketBuilder(ByteBuf out, int sequence) {
        this.out = out;
        this.start = out.writerIndex();
        this.sequence = sequence;
        out.writeZero(HEADER);
    }

    public static PacketBuilder begin(ByteBuf out, int sequence) {
        return new PacketBuilder(out, sequence);
    }

    public PacketBuilder int1(int value) {
        out.writeByte(value);
        return this;
    }

    public PacketBuilder int2(int value) {
        out.writeShortLE(value);
        return this;
    }

    public PacketBuilder int4(int value) {
        out.writeIntLE(value);
        return this;
    }

    public PacketBuilder int8(long value) {
        out.writeLongLE(value);
        return this;
    }

    public PacketBuilder zeros(int count) {
        out.writeZero(count);
        return this;
    }

    public PacketBuilder lengthEncoded(long value) {
        lengthEncoded(out, value);
        return this;
    }

    static void lengthEncoded(ByteBuf out, long value) {
        if (value >= 0 && value < 0xfb) {
            out.writeByte((int) value);
        } else if (value >= 0 && value <= 0xffff) {
            out.writeByte(0xfc).writeShortLE((int) value);
        } else if (value >= 0 && value <= 0xffffff) {
            out.writeByte(0xfd).writeMediumLE((int) value);
        } else {
            out.writeByte(0xfe).writeLongLE(value);
        }
    }

    public PacketBuilder bytes(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    /** The readable bytes; their buffer's indexes stay. */
    public PacketBuilder bytes(ByteBuf bytes) {
        out.writeBytes(bytes, bytes.readerIndex(), bytes.readableBytes());
        return this;
    }

    public PacketBuilder text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    public PacketBuilder nulTerminated(String text) {
        return text(text).int1(0);
    }

    public PacketBuilder lengthEncodedText(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        return lengthEncoded(bytes.length).bytes(bytes);
    }

    /** Writes the header(s). Returns the sequence number of the packet after this one. */
    public int end() {
        int length = out.writerIndex() - start - HEADER;
        if (length < FULL) {
            out.setMediumLE(start, length).setByte(start + 3, sequence);
            return next(sequence);
        }
        return split(length);
    }

    public static int next(int sequence) {
        return (sequence + 1) & 0xff;
    }

    private int split(int length) {
        var payload = out.copy(start + HEADER, length);
        try {
            out.writerIndex(start);
            int at = sequence;
            int left = length;
            while (true) {
                int part = Math.min(left, FULL);
                out.writeMediumLE(part).writeByte(at).writeBytes(payload, part);
                at = next(at);
                left -= part;
                if (part < FULL) {
                    return at;
                }
            }
        } finally {
            payload.release();
        }
    }
}
