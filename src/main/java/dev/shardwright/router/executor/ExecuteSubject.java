package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ExecutePacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Parameters;
import dev.shardwright.router.session.PreparedStatement;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.router.session.SessionBackend.StatementKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** COM_STMT_EXECUTE: the client's packet with the server's id, with types where this server has not seen them. */
final class ExecuteSubject implements Subject {
    private final PreparedStatement statement;
    private final ExecutePacket packet;
    private final StatementKey key;
    private final Parameters parameters;

    ExecuteSubject(SessionRunner runner, PreparedStatement statement) {
        this.statement = statement;
        this.packet = new ExecutePacket(runner.payload(), statement.parameters());
        this.key = new StatementKey(statement.id(), false);
        if (packet.bringsTypes()) {
            statement.bind(packet.types());
        }
        this.parameters =
                new ExecuteParameters(packet, statement, runner.session().charset());
    }

    @Override
    public byte[] sql() {
        return statement.sql();
    }

    @Override
    public boolean prepared() {
        return true;
    }

    @Override
    public Parameters parameters() {
        return parameters;
    }

    @Override
    public Readying.Needs needs(boolean begin) {
        return new Readying.Needs(begin, key, statement.sql());
    }

    @Override
    public ByteBuf commandFor(SessionBackend backend) {
        var known = backend.statement(key);
        if (known == null) {
            throw new IllegalStateException("statement " + key + " is not prepared on " + backend.shard());
        }
        var out = ByteBufAllocator.DEFAULT.buffer();
        statement
                .longData()
                .forEach((parameter, data) -> PacketBuilder.begin(out, 0)
                        .int1(CommandByte.STMT_SEND_LONG_DATA)
                        .int4(known.id())
                        .int2(parameter)
                        .bytes(data)
                        .end());
        boolean stale = known.typesVersion() != statement.typesVersion();
        packet.write(out, known.id(), stale ? statement.types() : null);
        known.typesSent(statement.typesVersion());
        return out;
    }

    @Override
    public ResponseScanner.Kind kind() {
        return ResponseScanner.Kind.RESULT;
    }

    /** As in MySQL: long data is for one execution, and a failed one uses it up too. */
    @Override
    public void finished() {
        statement.longData().clear();
    }
}
