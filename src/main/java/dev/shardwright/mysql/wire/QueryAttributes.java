package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;

/**
 * Named values that a client sends with COM_QUERY, before the statement's text, once both sides have
 * {@link Capability#QUERY_ATTRIBUTES}: number of values, number of sets (always 1), and with values: null bitmap,
 * new-types flag (always 1), types (2 each) with names, values.
 */
public final class QueryAttributes {
    private static final int ONE_SET = 1;
    private static final int TYPES_FOLLOW = 1;
    /** Type and an empty name. */
    private static final int LEAST_FOR_EACH = 3;

    private QueryAttributes() {}

    /** What a command without any carries. */
    public static PacketBuilder writeNone(PacketBuilder packet) {
        return packet.int1(0).int1(ONE_SET);
    }

    /**
     * Where the statement's text begins, counted from the command byte. MalformedPacketException when a server could
     * find it elsewhere.
     *
     * @param payload of COM_QUERY, from the command byte on; its indexes stay
     */
    public static int textOffset(ByteBuf payload) {
        var rest = payload.slice();
        var in = new PayloadReader(rest);
        in.int1();
        int count = count(in);
        if (in.lengthEncoded() != ONE_SET) {
            throw new MalformedPacketException("query attributes in other than one set");
        }
        if (count > 0) {
            skip(in, count);
        }
        return rest.readerIndex();
    }

    /** A number of values that the rest of the packet has room for. */
    static int count(PayloadReader in) {
        long count = in.lengthEncoded();
        if (count < 0 || count > in.remaining()) {
            throw new MalformedPacketException(count + " values in " + in.remaining() + " bytes");
        }
        return (int) count;
    }

    private static void skip(PayloadReader in, int count) {
        var nulls = in.bytes((count + 7) / 8);
        if (in.int1() != TYPES_FOLLOW || in.remaining() / LEAST_FOR_EACH < count) {
            throw new MalformedPacketException("query attributes without their types");
        }
        var types = new int[count];
        for (int i = 0; i < count; i++) {
            types[i] = in.int1();
            in.skip(1);
            in.skip(in.lengthEncoded());
        }
        for (int i = 0; i < count; i++) {
            if ((nulls[i / 8] & 1 << (i % 8)) == 0) {
                skipValue(in, types[i]);
            }
        }
    }

    /** Only types whose length every server sees alike: where the text begins must not be a matter of opinion. */
    private static void skipValue(PayloadReader in, int type) {
        switch (type) {
            case ParameterType.TINY,
                    ParameterType.SHORT,
                    ParameterType.LONG,
                    ParameterType.LONGLONG,
                    ParameterType.FLOAT,
                    ParameterType.DOUBLE,
                    ParameterType.DATE,
                    ParameterType.TIME,
                    ParameterType.DATETIME,
                    ParameterType.TIMESTAMP,
                    ParameterType.DECIMAL,
                    ParameterType.NEWDECIMAL,
                    ParameterType.VARCHAR,
                    ParameterType.VAR_STRING,
                    ParameterType.STRING,
                    ParameterType.TINY_BLOB,
                    ParameterType.MEDIUM_BLOB,
                    ParameterType.LONG_BLOB,
                    ParameterType.BLOB,
                    ParameterType.BIT,
                    ParameterType.ENUM,
                    ParameterType.SET,
                    ParameterType.JSON,
                    ParameterType.GEOMETRY -> ParameterType.skip(in, type);
            default -> throw new MalformedPacketException("a query attribute of type " + type);
        }
    }
}
