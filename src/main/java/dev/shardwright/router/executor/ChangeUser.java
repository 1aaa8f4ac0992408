package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.AuthSwitch;
import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.OkPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.PayloadReader;
import dev.shardwright.mysql.wire.ServerStatus;
import dev.shardwright.mysql.wire.SessionChanges;
import dev.shardwright.router.protocol.ClientIdentity;
import dev.shardwright.router.protocol.ErrorCatalogue;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * COM_CHANGE_USER: the client proves another identity on the same connection and begins a new session. It is always
 * asked for a proof with a fresh nonce, as MySQL asks when it doesn't like the first one.
 */
final class ChangeUser {
    private static final int QUESTION = 1;
    /** Sequence number of the packet with the proof. */
    static final int ANSWER = 2;

    private final SessionRunner runner;
    private final String user;
    private final @Nullable String database;
    private final int collation;
    private final byte[] nonce = CachingSha2.freshNonce();

    private ChangeUser(SessionRunner runner, String user, @Nullable String database, int collation) {
        this.runner = runner;
        this.user = user;
        this.database = database;
        this.collation = collation;
    }

    /** Reads the command's payload and asks for the proof. MalformedPacketException when it is none. */
    static ChangeUser ask(SessionRunner runner, ByteBuf payload) {
        var in = new PayloadReader(payload.slice());
        in.int1();
        var user = in.nulTerminatedText();
        in.skip(in.int1());
        var database = in.nulTerminatedText();
        int collation =
                in.remaining() >= 2 ? in.int2() : runner.session().client().collation();
        var change = new ChangeUser(runner, user, database.isEmpty() ? null : database, collation);
        var out = runner.out().channel().alloc().buffer(64);
        AuthSwitch.write(out, QUESTION, CachingSha2.PLUGIN, change.nonce);
        runner.out().write(out);
        runner.out().flush();
        return change;
    }

    /** The packet with the proof, headers included. */
    void answer(ByteBuf packet) {
        int next = PacketBuilder.next(packet.getUnsignedByte(packet.readerIndex() + 3));
        var proof = new byte[packet.readableBytes() - PacketBuilder.HEADER];
        packet.getBytes(packet.readerIndex() + PacketBuilder.HEADER, proof);
        var before = runner.session().client();
        var password = runner.logins().password(user);
        if (password == null || !CachingSha2.proves(proof, password, nonce)) {
            runner.errorAndClose(next, ErrorCatalogue.changeUserDenied(user, before.host(), proof.length > 1));
            return;
        }
        var refusal = runner.logins().refuseUser(runner.out().channel(), user);
        if (refusal != null) {
            runner.errorAndClose(next, refusal);
        } else {
            runner.become(new ClientIdentity(
                    before.connectionId(), user, password, before.host(), before.capabilities(), collation, database));
            welcome(password, next);
        }
    }

    private void welcome(String password, int sequence) {
        var out = runner.out().channel().alloc().buffer(64);
        int next = password.isEmpty() ? sequence : CachingSha2.writeFastSuccess(out, sequence);
        boolean known = database == null || runner.logins().knowsDatabase(database);
        if (known) {
            var changes = SessionChanges.inDatabase(database);
            int capabilities = runner.session().client().capabilities();
            OkPacket.of(ServerStatus.AUTOCOMMIT).write(out, next, changes, capabilities);
        }
        runner.out().write(out);
        runner.out().flush();
        if (known) {
            runner.answered();
        } else {
            runner.enterDatabase(next);
        }
    }
}
