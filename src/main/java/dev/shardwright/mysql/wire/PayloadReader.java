package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Reads a packet's payload field by field; whatever lies outside the payload is a MalformedPacketException. */
public final class PayloadReader {
    private final ByteBuf in;

    /** Reads from the buffer's reader index on and moves it. */
    public PayloadReader(ByteBuf in) {
        this.in = in;
    }

    public int remaining() {
        return in.readableBytes();
    }

    public int int1() {
        return need(1).readUnsignedByte();
    }

    public int int2() {
        return need(2).readUnsignedShortLE();
    }

    public int int3() {
        return need(3).readUnsignedMediumLE();
    }

    public int int4() {
        return need(4).readIntLE();
    }

    public long int8() {
        return need(8).readLongLE();
    }

    /** A length-encoded integer; the NULL marker and the error marker are malformed here. */
    public long lengthEncoded() {
        int first = int1();
        return switch (first) {
            case 0xfb, 0xff -> throw new MalformedPacketException("no length-encoded integer: " + first);
            case 0xfc -> int2();
            case 0xfd -> int3();
            case 0xfe -> int8();
            default -> first;
        };
    }

    public byte[] bytes(long length) {
        if (length < 0 || length > in.readableBytes()) {
            throw new MalformedPacketException("a field of " + length + " bytes in " + in.readableBytes());
        }
        var bytes = new byte[(int) length];
        in.readBytes(bytes);
        return bytes;
    }

    public void skip(long length) {
        if (length < 0 || length > in.readableBytes()) {
            throw new MalformedPacketException("a field of " + length + " bytes in " + in.readableBytes());
        }
        in.skipBytes((int) length);
    }

    public byte[] lengthEncodedBytes() {
        return bytes(lengthEncoded());
    }

    public byte[] rest() {
        return bytes(in.readableBytes());
    }

    public byte[] nulTerminated() {
        int length = in.bytesBefore((byte) 0);
        if (length < 0) {
            throw new MalformedPacketException("a text without its terminating zero");
        }
        var bytes = bytes(length);
        in.skipBytes(1);
        return bytes;
    }

    public String nulTerminatedText() {
        return new String(nulTerminated(), StandardCharsets.UTF_8);
    }

    private ByteBuf need(int length) {
        if (in.readableBytes() < length) {
            throw new MalformedPacketException("the packet ends " + (length - in.readableBytes()) + " bytes too early");
        }
        return in;
    }
}
