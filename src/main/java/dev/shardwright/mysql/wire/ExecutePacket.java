package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * The fields of COM_STMT_EXECUTE that lie before the values. Layout: command, statement id (4), flags (1),
 * iteration count (4), and with parameters: null bitmap, new-types flag (1), [types (2 each)], values. On a connection
 * with {@link Capability#QUERY_ATTRIBUTES} the null bitmap comes after the number of values, attributes may follow the
 * parameters as further values, and each type is followed by a name.
 */
public final class ExecutePacket {
    private static final int FLAGS = 5;
    private static final int ITERATIONS_END = 10;
    /** Flag: the client would fetch the rows later. */
    private static final int READ_ONLY_CURSOR = 1;
    /** Flag: the number of values is there even without parameters. */
    private static final int COUNTED = 8;

    private final ByteBuf payload;
    private final int parameters;
    private final boolean attributes;
    private final int bound;
    private final int nullsAt;
    private final int valuesAt;

    /**
     * @param payload from the command byte on; not kept longer than this object, its indexes stay
     * @param attributes whether the connection has {@link Capability#QUERY_ATTRIBUTES}
     */
    public ExecutePacket(ByteBuf payload, int parameters, boolean attributes) {
        this.payload = payload;
        this.parameters = parameters;
        this.attributes = attributes;
        needs(FLAGS + 1);
        if (attributes && (parameters > 0 || (flags() & COUNTED) != 0)) {
            var rest = from(ITERATIONS_END);
            bound = QueryAttributes.count(new PayloadReader(rest));
            nullsAt = ITERATIONS_END + rest.readerIndex();
        } else {
            bound = parameters;
            nullsAt = ITERATIONS_END;
        }
        if (bound > 0) {
            needs(typesOffset());
        }
        if (bound < parameters || (bound > parameters && !bringsTypes())) {
            throw new MalformedPacketException(bound + " values for " + parameters + " parameters");
        }
        valuesAt = endOfTypes();
    }

    /** Without attributes. */
    public ExecutePacket(ByteBuf payload, int parameters) {
        this(payload, parameters, false);
    }

    private void needs(int length) {
        if (payload.readableBytes() < length) {
            throw new MalformedPacketException("an execute packet that ends too early");
        }
    }

    private int endOfTypes() {
        if (!bringsTypes()) {
            return bound == 0 ? nullsAt : typesOffset();
        }
        var rest = from(typesOffset());
        var in = new PayloadReader(rest);
        for (int i = 0; i < bound; i++) {
            in.skip(2);
            skipName(in);
        }
        return typesOffset() + rest.readerIndex();
    }

    private void skipName(PayloadReader in) {
        if (attributes) {
            in.skip(in.lengthEncoded());
        }
    }

    /** What begins there; MalformedPacketException when that is behind the end. */
    private ByteBuf from(int offset) {
        needs(offset);
        return payload.slice(at(offset), payload.readableBytes() - offset);
    }

    private int flags() {
        return payload.getByte(at(FLAGS));
    }

    public static int statementId(ByteBuf payload) {
        if (payload.readableBytes() < FLAGS) {
            throw new MalformedPacketException("a statement command without the statement's id");
        }
        return payload.getIntLE(payload.readerIndex() + 1);
    }

    /** Whether the client would rather fetch the rows by COM_STMT_FETCH; a server may send them all the same. */
    public boolean wantsCursor() {
        return (flags() & READ_ONLY_CURSOR) != 0;
    }

    private int at(int offset) {
        return payload.readerIndex() + offset;
    }

    private int bitmapLength() {
        return (bound + 7) / 8;
    }

    public boolean bringsTypes() {
        return bound > 0 && payload.getByte(at(nullsAt + bitmapLength())) != 0;
    }

    /** Where the types are, if the packet brings them. */
    private int typesOffset() {
        return nullsAt + bitmapLength() + 1;
    }

    public int valuesOffset() {
        return valuesAt;
    }

    /** The types that the packet brings: two bytes for each parameter, and none for attributes. */
    public byte[] types() {
        var types = new byte[2 * parameters];
        var rest = from(typesOffset());
        for (int i = 0; i < parameters; i++) {
            rest.readBytes(types, 2 * i, 2);
            skipName(new PayloadReader(rest));
        }
        return types;
    }

    public boolean isNull(int parameter) {
        return (payload.getByte(at(nullsAt + parameter / 8)) & 1 << (parameter % 8)) != 0;
    }

    /**
     * A reader at the parameter's value, or null when the value was sent by COM_STMT_SEND_LONG_DATA or is NULL.
     *
     * @param types those in force, from this packet or an earlier one
     * @param sentLong whether a parameter's value was sent before
     */
    public @Nullable PayloadReader value(int parameter, byte[] types, java.util.function.IntPredicate sentLong) {
        if (isNull(parameter) || sentLong.test(parameter)) {
            return null;
        }
        var in = new PayloadReader(from(valuesAt));
        for (int i = 0; i < parameter; i++) {
            if (!isNull(i) && !sentLong.test(i)) {
                ParameterType.skip(in, types[2 * i] & 0xff);
            }
        }
        return in;
    }

    /**
     * Writes the packet for a server that knows the statement by another id.
     *
     * @param types put in when the packet brings none and this server has not seen them; null: as it is
     * @param cursor whether the server shall open a cursor
     */
    public int write(ByteBuf out, int statementId, byte @Nullable [] types, boolean cursor) {
        var packet = PacketBuilder.begin(out, 0)
                .int1(CommandByte.STMT_EXECUTE)
                .int4(statementId)
                .int1(flags() & COUNTED | (cursor ? READ_ONLY_CURSOR : 0));
        int tail = FLAGS + 1;
        if (types != null && !bringsTypes() && parameters > 0) {
            int beforeTypes = typesOffset() - 1;
            packet.bytes(payload.slice(at(tail), beforeTypes - tail)).int1(1);
            writeTypes(packet, types);
            tail = typesOffset();
        }
        return packet.bytes(payload.slice(at(tail), payload.readableBytes() - tail))
                .end();
    }

    private void writeTypes(PacketBuilder packet, byte[] types) {
        for (int i = 0; i < types.length; i += 2) {
            packet.int1(types[i]).int1(types[i + 1]);
            if (attributes) {
                packet.lengthEncoded(0);
            }
        }
    }

    /**
     * Writes the packet with other values for some parameters, as BIGINT, and without a cursor.
     *
     * @param types those in force
     * @param sentLong whether a parameter's value was sent before
     * @param values by parameter
     */
    public int writeWith(
            ByteBuf out,
            int statementId,
            byte[] types,
            java.util.function.IntPredicate sentLong,
            java.util.Map<Integer, Long> values) {
        var packet = PacketBuilder.begin(out, 0)
                .int1(CommandByte.STMT_EXECUTE)
                .int4(statementId)
                .int1(flags() & COUNTED)
                .bytes(payload.slice(at(FLAGS + 1), typesOffset() - 1 - (FLAGS + 1)))
                .int1(1);
        var changed = types.clone();
        values.keySet().forEach(parameter -> {
            changed[2 * parameter] = ParameterType.LONGLONG;
            changed[2 * parameter + 1] = 0;
        });
        writeTypes(packet, changed);
        packet.bytes(attributeTypes());
        var rest = from(valuesAt);
        for (int i = 0; i < parameters; i++) {
            if (isNull(i) || sentLong.test(i)) {
                continue;
            }
            int start = rest.readerIndex();
            ParameterType.skip(new PayloadReader(rest), types[2 * i] & 0xff);
            var other = values.get(i);
            if (other == null) {
                packet.bytes(rest.slice(start, rest.readerIndex() - start));
            } else {
                packet.int8(other);
            }
        }
        return packet.bytes(rest).end();
    }

    /** Types and names behind those of the parameters. */
    private ByteBuf attributeTypes() {
        if (bound == parameters) {
            return Unpooled.EMPTY_BUFFER;
        }
        var rest = from(typesOffset()).writerIndex(valuesAt - typesOffset());
        for (int i = 0; i < parameters; i++) {
            rest.skipBytes(2);
            skipName(new PayloadReader(rest));
        }
        return rest;
    }
}
