package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ExecutePacket;
import dev.shardwright.mysql.wire.MalformedPacketException;
import dev.shardwright.mysql.wire.ParameterType;
import dev.shardwright.mysql.wire.PayloadReader;
import dev.shardwright.router.planner.Parameters;
import dev.shardwright.router.planner.SqlValue;
import dev.shardwright.router.planner.StatementContext;
import dev.shardwright.router.session.PreparedStatement;
import java.math.BigInteger;

/** The values of one execution, each decoded when the planner asks for it. */
final class ExecuteParameters implements Parameters {
    private static final int UNSIGNED = 0x80;

    private final ExecutePacket packet;
    private final PreparedStatement statement;
    private final StatementContext context;

    ExecuteParameters(ExecutePacket packet, PreparedStatement statement, StatementContext context) {
        this.packet = packet;
        this.statement = statement;
        this.context = context;
    }

    @Override
    public SqlValue get(int index) {
        if (index >= statement.parameters()) {
            throw new MalformedPacketException("an execution with fewer parameters than its statement");
        }
        var sentLong = statement.longData().value(index);
        if (sentLong == null && packet.isNull(index)) {
            // Clients need not send types when all parameters are NULL.
            return new SqlValue.Null();
        }
        var types = statement.types();
        if (types == null) {
            throw new MalformedPacketException("an execution without types for its parameters");
        }
        int type = types[2 * index] & 0xff;
        if (sentLong != null) {
            return bytes(type, sentLong);
        }
        var in = packet.value(index, types, statement.longData()::has);
        return in == null ? new SqlValue.Null() : value(in, type, (types[2 * index + 1] & UNSIGNED) != 0);
    }

    private SqlValue value(PayloadReader in, int type, boolean unsigned) {
        return switch (type) {
            case ParameterType.NULL -> new SqlValue.Null();
            case ParameterType.TINY -> SqlValue.Int.of(unsigned ? in.int1() : (byte) in.int1());
            case ParameterType.SHORT, ParameterType.YEAR -> SqlValue.Int.of(unsigned ? in.int2() : (short) in.int2());
            case ParameterType.LONG, ParameterType.INT24 ->
                SqlValue.Int.of(unsigned ? Integer.toUnsignedLong(in.int4()) : in.int4());
            case ParameterType.LONGLONG -> new SqlValue.Int(big(in.int8(), unsigned));
            case ParameterType.FLOAT -> new SqlValue.Other("float");
            case ParameterType.DOUBLE -> new SqlValue.Other("double");
            case ParameterType.DATE -> new SqlValue.Other("date");
            case ParameterType.TIME -> new SqlValue.Other("time");
            case ParameterType.DATETIME, ParameterType.TIMESTAMP -> new SqlValue.Other("datetime");
            default -> bytes(type, in.lengthEncodedBytes());
        };
    }

    private SqlValue bytes(int type, byte[] bytes) {
        return switch (type) {
            case ParameterType.TINY_BLOB, ParameterType.MEDIUM_BLOB, ParameterType.LONG_BLOB, ParameterType.BLOB ->
                new SqlValue.Binary(bytes);
            case ParameterType.VARCHAR, ParameterType.VAR_STRING, ParameterType.STRING -> context.text(bytes);
            case ParameterType.DECIMAL, ParameterType.NEWDECIMAL -> new SqlValue.Other("decimal");
            default -> new SqlValue.Other("type " + type);
        };
    }

    private static BigInteger big(long value, boolean unsigned) {
        return unsigned ? new BigInteger(Long.toUnsignedString(value)) : BigInteger.valueOf(value);
    }
}
