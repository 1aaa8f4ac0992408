package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.ExecutePacket;
import dev.shardwright.mysql.wire.MalformedPacketException;
import dev.shardwright.mysql.wire.OkPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.PayloadReader;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.protocol.ClientFrames;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.ClientSession;
import dev.shardwright.router.session.PreparedStatement;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** What to do for each command byte of a client. */
final class Commands {
    /** MySQL's own default for max_prepared_stmt_count, here for one session. */
    private static final int MAX_STATEMENTS = 16_382;

    private static final int MULTI_STATEMENTS_ON = 0;
    private static final int MULTI_STATEMENTS_OFF = 1;

    private final SessionRunner runner;

    Commands(SessionRunner runner) {
        this.runner = runner;
    }

    private ClientSession session() {
        return runner.session();
    }

    void dispatch(ByteBuf command) {
        var payload = runner.payload();
        if (!payload.isReadable()) {
            throw new MalformedPacketException("a command packet without a command");
        }
        switch (payload.getUnsignedByte(payload.readerIndex())) {
            case CommandByte.QUERY -> query(payload);
            case CommandByte.STMT_EXECUTE -> execute(payload);
            case CommandByte.STMT_PREPARE -> prepare(payload);
            case CommandByte.STMT_CLOSE -> close(payload);
            case CommandByte.STMT_RESET -> reset(payload);
            case CommandByte.STMT_SEND_LONG_DATA -> longData(payload);
            case CommandByte.STMT_FETCH -> fetch(payload);
            case CommandByte.PING -> runner.done();
            case CommandByte.INIT_DB -> UseDatabase.run(runner, new String(body(payload), StandardCharsets.UTF_8));
            case CommandByte.QUIT -> runner.cut();
            case CommandByte.RESET_CONNECTION -> resetConnection();
            case CommandByte.CHANGE_USER -> runner.awaitAnswer(ChangeUser.ask(runner, payload));
            case CommandByte.FIELD_LIST ->
                runner.run(new ForwardRun(runner, new PlainSubject(runner, ResponseScanner.Kind.FIELD_LIST)));
            case CommandByte.STATISTICS -> statistics();
            case CommandByte.SET_OPTION -> setOption(payload);
            default -> runner.error(ErrorCatalogue.unknownCommand());
        }
    }

    private static byte[] body(ByteBuf payload) {
        var bytes = new byte[payload.readableBytes() - 1];
        payload.getBytes(payload.readerIndex() + 1, bytes);
        return bytes;
    }

    private void query(ByteBuf payload) {
        var text = TextSubject.of(runner, payload);
        if (session().multiStatements() && Batch.mayBe(text.sql())) {
            var attributes = new byte[text.textOffset() - 1];
            payload.getBytes(payload.readerIndex() + 1, attributes);
            runner.run(new Batch(runner, attributes, text.sql(), runner.replySequence()));
        } else {
            runner.run(new StatementRun(runner, text));
        }
    }

    private void prepare(ByteBuf payload) {
        if (session().preparedStatements() >= MAX_STATEMENTS) {
            runner.error(ErrorCatalogue.tooManyStatements(MAX_STATEMENTS));
            return;
        }
        runner.run(new PrepareRun(
                runner, new PrepareSubject(runner, body(payload), session().nextStatementId())));
    }

    private void execute(ByteBuf payload) {
        int id = ExecutePacket.statementId(payload);
        var statement = session().statement(id);
        if (statement == null) {
            runner.error(ErrorCatalogue.unknownStatement(id));
            return;
        }
        var unsent = statement.longData().failure();
        if (unsent != null) {
            statement.longData().clear();
            runner.error(unsent);
            return;
        }
        if (readsOtherwise(statement)) {
            runner.error(ErrorCatalogue.preparedOtherwise());
            return;
        }
        runner.cursors().close(statement);
        runner.run(new StatementRun(runner, new ExecuteSubject(runner, statement)));
    }

    /** A server goes on reading the text as it did; its literals would be routed as they are read now. */
    private boolean readsOtherwise(PreparedStatement statement) {
        var view = runner.loop().view();
        return view != null
                && view.shards().size() > 1
                && !statement.context().equals(session().context(true));
    }

    /** Has no answer. Servers keep what they have prepared for the next one who needs it, as long as there is room. */
    private void close(ByteBuf payload) {
        var statement = session().closeStatement(ExecutePacket.statementId(payload));
        if (statement != null) {
            runner.cursors().close(statement);
        }
        runner.answered();
    }

    private void reset(ByteBuf payload) {
        int id = ExecutePacket.statementId(payload);
        var statement = session().statement(id);
        if (statement == null) {
            runner.error(ErrorCatalogue.unknownStatement(id));
        } else {
            statement.longData().clear();
            runner.cursors().close(statement);
            runner.done();
        }
    }

    private void fetch(ByteBuf payload) {
        int id = ExecutePacket.statementId(payload);
        var statement = session().statement(id);
        if (statement == null) {
            runner.error(ErrorCatalogue.unknownStatement(id));
            return;
        }
        var cursor = statement.cursor();
        if (cursor == null) {
            runner.error(ErrorCatalogue.noCursor(id));
        } else {
            runner.run(new FetchRun(runner, statement, cursor, FetchRun.rows(payload)));
        }
    }

    /** Has no answer; a wrong statement or parameter shows at the execution. */
    private void longData(ByteBuf payload) {
        var in = new PayloadReader(payload.slice());
        in.int1();
        int id = in.int4();
        int parameter = in.int2();
        var statement = session().statement(id);
        if (statement != null && parameter < statement.parameters()) {
            append(statement, parameter, in.rest());
        }
        runner.answered();
    }

    /** Whether the packet was of the command that has no answer; then the execution will tell. */
    boolean refusedUnanswered(ClientFrames.Refused packet) {
        var head = new PayloadReader(Unpooled.wrappedBuffer(packet.head()));
        if (head.int1() != CommandByte.STMT_SEND_LONG_DATA) {
            return false;
        }
        var statement = session().statement(head.int4());
        if (statement != null) {
            statement.longData().fail(packet.error());
        }
        runner.answered();
        return true;
    }

    private void append(PreparedStatement statement, int parameter, byte[] piece) {
        var sent = statement.longData();
        int limit = runner.loop().settings().maxPacketBytes();
        runner.handOver();
        if (sent.bytes() + piece.length > limit) {
            sent.fail(ErrorCatalogue.longDataTooLarge(limit));
        } else if (!sent.append(parameter, piece)) {
            sent.fail(ErrorCatalogue.outOfStatementMemory(
                    runner.loop().statementBudget().limit()));
        }
    }

    private void resetConnection() {
        runner.leaveBackends();
        session().reset();
        runner.done();
    }

    /** The answer is a bare text. */
    private void statistics() {
        var out = runner.out().channel().alloc().buffer();
        PacketBuilder.begin(out, runner.replySequence())
                .text("Shardwright router  Threads: "
                        + runner.loop().metrics().clients().get())
                .end();
        runner.out().write(out);
        runner.out().flush();
        runner.answered();
    }

    private void setOption(ByteBuf payload) {
        var in = new PayloadReader(payload.slice());
        in.int1();
        int option = in.int2();
        if (option != MULTI_STATEMENTS_ON && option != MULTI_STATEMENTS_OFF) {
            runner.error(ErrorCatalogue.unknownCommand());
            return;
        }
        session().multiStatements(option == MULTI_STATEMENTS_ON);
        var out = runner.out().channel().alloc().buffer();
        OkPacket.writeEnd(
                out,
                runner.replySequence(),
                session().transaction().status(),
                0,
                runner.out().deprecateEof());
        runner.out().write(out);
        runner.out().flush();
        runner.answered();
    }
}
