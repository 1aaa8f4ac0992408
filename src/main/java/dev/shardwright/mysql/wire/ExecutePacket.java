package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The fields of COM_STMT_EXECUTE that lie before the values. Layout: command, statement id (4), flags (1),
 * iteration count (4), and with parameters: null bitmap, new-types flag (1), [types (2 each)], values.
 */
public final class ExecutePacket {
    private static final int FLAGS = 5;
    private static final int NULLS = 10;

    private final ByteBuf payload;
    private final int parameters;

    /** @param payload from the command byte on; not kept longer than this object, its indexes stay */
    public ExecutePacket(ByteBuf payload, int parameters) {
        this.payload = payload;
        this.parameters = parameters;
        int least = parameters == 0 ? FLAGS + 1 : NULLS + bitmapLength() + 1;
        if (payload.readableBytes() < least || (bringsTypes() && payload.readableBytes() < valuesOffset())) {
            throw new MalformedPacketException("an execute packet that ends too early");
        }
    }

    public static int statementId(ByteBuf payload) {
        if (payload.readableBytes() < FLAGS) {
            throw new MalformedPacketException("a statement command without the statement's id");
        }
        return payload.getIntLE(payload.readerIndex() + 1);
    }

    private int at(int offset) {
        return payload.readerIndex() + offset;
    }

    private int bitmapLength() {
        return (parameters + 7) / 8;
    }

    public boolean bringsTypes() {
        return parameters > 0 && payload.getByte(at(NULLS + bitmapLength())) == 1;
    }

    /** Where the types are, if the packet brings them. */
    private int typesOffset() {
        return NULLS + bitmapLength() + 1;
    }

    public int valuesOffset() {
        return typesOffset() + (bringsTypes() ? 2 * parameters : 0);
    }

    /** The types that the packet brings: two bytes for each parameter. */
    public byte[] types() {
        var types = new byte[2 * parameters];
        payload.getBytes(at(typesOffset()), types);
        return types;
    }

    public boolean isNull(int parameter) {
        return (payload.getByte(at(NULLS + parameter / 8)) & 1 << (parameter % 8)) != 0;
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
        var values = payload.slice(at(valuesOffset()), payload.readableBytes() - valuesOffset());
        var in = new PayloadReader(values);
        for (int i = 0; i < parameter; i++) {
            if (!isNull(i) && !sentLong.test(i)) {
                ParameterType.skip(in, types[2 * i] & 0xff);
            }
        }
        return in;
    }

    /**
     * Writes the packet for a server that knows the statement by another id. The cursor flag is left out:
     * a server may always answer with the whole result.
     *
     * @param types put in when the packet brings none and this server has not seen them; null: as it is
     */
    public int write(ByteBuf out, int statementId, byte @Nullable [] types) {
        var packet = PacketBuilder.begin(out, 0)
                .int1(CommandByte.STMT_EXECUTE)
                .int4(statementId)
                .int1(0);
        int tail = FLAGS + 1;
        if (types != null && !bringsTypes() && parameters > 0) {
            int beforeTypes = typesOffset() - 1;
            packet.bytes(payload.slice(at(tail), beforeTypes - tail)).int1(1).bytes(types);
            tail = typesOffset();
        }
        return packet.bytes(payload.slice(at(tail), payload.readableBytes() - tail))
                .end();
    }

    /**
     * Writes the packet with other values for some parameters, as BIGINT.
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
                .int1(0)
                .int4(1)
                .bytes(payload.slice(at(NULLS), bitmapLength()))
                .int1(1);
        var changed = types.clone();
        values.keySet().forEach(parameter -> {
            changed[2 * parameter] = ParameterType.LONGLONG;
            changed[2 * parameter + 1] = 0;
        });
        packet.bytes(changed);
        var rest = payload.slice(at(valuesOffset()), payload.readableBytes() - valuesOffset());
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
        return packet.end();
    }
}
