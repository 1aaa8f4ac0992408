package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.LogicalPacket;
import dev.shardwright.mysql.wire.OkPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.mysql.wire.ServerStatus;
import dev.shardwright.mysql.wire.SessionChanges;
import dev.shardwright.router.protocol.BackendConnection;
import dev.shardwright.router.protocol.BackendConnector;
import dev.shardwright.router.protocol.ClientFrames;
import dev.shardwright.router.protocol.ClientIdentity;
import dev.shardwright.router.protocol.ClientOutput;
import dev.shardwright.router.protocol.CommandListener;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.protocol.FileFrames;
import dev.shardwright.router.protocol.Logins;
import dev.shardwright.router.session.ClientSession;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.router.session.SessionBackend.BackendStatement;
import dev.shardwright.router.session.StatementKey;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one client's commands, one after another, on its event loop, and keeps its backend connections in order. */
public final class SessionRunner implements CommandListener {
    private static final Logger log = LoggerFactory.getLogger(SessionRunner.class);

    private final RouterLoop loop;
    private final Logins logins;
    private final ClientSession session;
    private final ClientOutput out;
    private final ClientFrames frames;
    private final ChannelHandlerContext framesContext;
    private final Commands commands;
    private final SessionBackends backends;
    private final Cursors cursors;
    private final StatementClock clock;
    private @Nullable ByteBuf command;
    private @Nullable Execution current;
    private @Nullable Batch batch;
    private @Nullable FileUpload upload;
    private @Nullable ChangeUser changing;
    private @Nullable SessionBackend slowed;
    private @Nullable ErrPacket doom;
    private boolean closeWhenAnswered;
    private boolean entering;
    private boolean stopping;
    private boolean gone;

    public SessionRunner(
            RouterLoop loop,
            Logins logins,
            ClientSession session,
            ClientOutput out,
            ClientFrames frames,
            ChannelHandlerContext framesContext) {
        this.loop = loop;
        this.logins = logins;
        this.session = session;
        this.out = out;
        this.frames = frames;
        this.framesContext = framesContext;
        this.commands = new Commands(this);
        this.backends = new SessionBackends(this);
        this.cursors = new Cursors(this);
        this.clock = new StatementClock(this, loop.settings().statementTimeout().toNanos());
        loop.add(this);
        loop.metrics().clients().incrementAndGet();
    }

    /** Whether every shard has a database of this name. */
    public static boolean knowsDatabase(String keyspace, String database) {
        return UseDatabase.isKnown(keyspace, database);
    }

    @Override
    public void onCommand(ByteBuf received) {
        var file = upload;
        if (file != null && !file.isSent()) {
            loop.metrics().bytesIn().add(received.readableBytes());
            file.received(received);
            return;
        }
        command = received;
        var asked = changing;
        if (asked != null) {
            changing = null;
            frames.expect(0);
            asked.answer(received);
            return;
        }
        loop.metrics().bytesIn().add(received.readableBytes());
        if (stopping && !session.transaction().isOpen()) {
            errorAndClose(ErrorCatalogue.shuttingDown());
        } else if (doom != null) {
            errorAndClose(doom);
        } else {
            commands.dispatch(received);
        }
    }

    @Override
    public void onRefused(ClientFrames.Refused packet) {
        command = stub(packet.sequence() - 1);
        changing = null;
        frames.expect(0);
        if (packet.close()) {
            errorAndClose(packet.error());
        } else if (!commands.refusedUnanswered(packet)) {
            error(packet.error());
        }
    }

    /** An empty packet, in the place of one that is not there. */
    private ByteBuf stub(int sequence) {
        var empty = out.channel().alloc().buffer(PacketBuilder.HEADER);
        PacketBuilder.begin(empty, sequence & 0xff).end();
        return empty;
    }

    /** What is kept of the running command has been taken out of the client's memory; the command itself needs none. */
    void handOver() {
        frames.handOver();
    }

    /** The next packet is no command but the answer to what was asked. */
    void awaitAnswer(ChangeUser change) {
        release();
        changing = change;
        frames.expect(ChangeUser.ANSWER);
        frames.resume(framesContext);
    }

    @Override
    public void enterDatabase(int sequence) {
        release();
        // As if the database were asked for by a packet just before the answer.
        command = stub(sequence - 1);
        entering = true;
        run(new EnterDatabase(this, Objects.requireNonNull(session.database())));
    }

    /** The database is there, and the client may go on. */
    void entered() {
        entering = false;
        okInDatabase();
    }

    /** The connection is somebody else's from now on, and nothing is left of the session before. */
    void become(ClientIdentity client) {
        leaveBackends();
        session.become(client);
    }

    Cursors cursors() {
        return cursors;
    }

    /** How connections of this client's user log in to servers now: its password may have changed since its own login. */
    BackendConnector.Login backendLogin(@Nullable String database) {
        var client = session.client();
        var password = logins.password(client.user());
        return new BackendConnector.Login(
                client.user(),
                password == null ? client.password() : password,
                logins.formerPassword(client.user()),
                database,
                client.capabilities(),
                client.collation());
    }

    /** A server has prepared the statement. */
    void prepared(SessionBackend backend, StatementKey key, ResponseScanner answer) {
        loop.sessions().preparedCaches().add(backend);
        InternalCommand.close(backend, backend.prepared(key, new BackendStatement(answer.statementId())));
    }

    Logins logins() {
        return logins;
    }

    /** The running command, headers included; its owner is this runner. */
    ByteBuf command() {
        var running = command;
        if (running == null) {
            throw new IllegalStateException("no command is running");
        }
        return running;
    }

    long commandBytes() {
        return command().readableBytes();
    }

    /** The running command's payload, from the command byte on; valid while it runs. */
    ByteBuf payload() {
        var whole = command();
        return LogicalPacket.payload(whole, whole.readerIndex(), whole.writerIndex());
    }

    /** Sequence number of the first packet of the answer. */
    int replySequence() {
        int first = command().getUnsignedByte(command().readerIndex() + 3);
        return batch == null ? first + LogicalPacket.count(command().readableBytes()) & 0xff : batch.sequence();
    }

    /**
     * The server asks the client for a file, and the client has been told so.
     *
     * @param shift how much lower the server's sequence numbers are
     */
    void expectFile(BackendConnection server, int sequence, int shift) {
        var content = new FileFrames(PacketBuilder.next(sequence), shift);
        upload = new FileUpload(this, server, content);
        frames.expectFile(content);
        resumeFile();
    }

    void pauseFile() {
        frames.pause();
    }

    void resumeFile() {
        frames.resume(framesContext);
    }

    /** The file that the running statement has asked the client for, or null. */
    @Nullable
    FileUpload upload() {
        return upload;
    }

    /** The running command is a text of several statements. */
    void run(Batch several) {
        batch = several;
        several.next();
    }

    boolean runs(Batch several) {
        return batch == several;
    }

    /** A part of the running command takes its place. */
    void runsInstead(ByteBuf part) {
        command().release();
        command = part;
    }

    /** Bits for each status field of the answer: whether another statement's answer follows. */
    int moreResults() {
        return batch != null && batch.hasMore() ? ServerStatus.MORE_RESULTS : 0;
    }

    /**
     * A server's answer passes to the client behind those of the statements before.
     *
     * @param commandBytes length of the command that is answered
     */
    void continues(ResponseScanner response, int commandBytes) {
        if (batch != null) {
            response.addStatus(moreResults());
            response.shiftSequence(batch.sequence() - LogicalPacket.count(commandBytes));
        }
    }

    /** The answer ends with this packet, and without an error. */
    void wrote(int lastSequence) {
        if (batch != null) {
            batch.answeredUpTo(lastSequence);
        }
    }

    /** No statement follows the one that runs. */
    void stopBatch() {
        if (batch != null) {
            batch.stop();
        }
    }

    /** Ends the session with the error that awaits its next statement, if there is one. */
    boolean isDoomed() {
        if (doom != null) {
            errorAndClose(doom);
        }
        return doom != null;
    }

    void run(Execution execution) {
        current = execution;
        clock.start();
        execution.attempt();
    }

    /** Answers a statement that no server has seen as it is. */
    void ok() {
        session.answeredHere();
        okInTransaction();
    }

    /** Answers a command that is no statement. */
    void done() {
        session.commandedHere();
        okInTransaction();
    }

    private void okInTransaction() {
        ok(OkPacket.of(session.transaction().status()), null);
    }

    /** The session's database has been set. */
    void okInDatabase() {
        session.answeredHere();
        ok(OkPacket.of(session.transaction().status()), SessionChanges.inDatabase(session.database()));
    }

    private void ok(OkPacket packet, @Nullable SessionChanges changes) {
        if (gone) {
            return;
        }
        int sequence = replySequence();
        var news = session.transaction().news(changes);
        out.ok(sequence, packet.withStatus(moreResults()), news);
        wrote(sequence);
        answered();
    }

    void error(ErrPacket error) {
        if (gone) {
            return;
        }
        error(replySequence(), error);
    }

    /** An error in the middle of an answer whose packets so far are whole. */
    void errorAfter(int sequence, ErrPacket error) {
        error(PacketBuilder.next(sequence), error);
    }

    private void error(int sequence, ErrPacket error) {
        loop.metrics().errors().increment();
        session.erredHere(error);
        stopBatch();
        out.error(sequence, error);
        answered();
    }

    void errorAndClose(ErrPacket error) {
        errorAndClose(replySequence(), error);
    }

    void errorAndClose(int sequence, ErrPacket error) {
        loop.metrics().errors().increment();
        out.errorAndClose(sequence, error);
        release();
    }

    /** The transaction is gone on its server; the running command is answered so. */
    void transactionEnded(ErrPacket error) {
        loop.metrics().transactionsEnded().increment();
        session.transaction().end();
        session.transaction().takeLoss();
        error(error);
    }

    /** The running command needs no (further) answer; the client may go on. */
    void answered() {
        if (upload != null && !upload.isSent()) {
            upload.answered();
            return;
        }
        if (clock.holdsAnswer()) {
            return;
        }
        var several = batch;
        if (several != null && several.hasMore() && !gone) {
            endCurrent();
            // As a task of its own, so that many statements neither grow the stack nor hold up other clients.
            loop.eventLoop().execute(() -> guarded(several::next));
            return;
        }
        release();
        if (gone) {
            return;
        }
        if (closeWhenAnswered || entering) {
            out.flush();
            out.close();
        } else {
            frames.resume(framesContext);
        }
    }

    private void endCurrent() {
        upload = null;
        var ended = current;
        current = null;
        if (ended != null) {
            ended.finished();
            backends.restAll();
        }
    }

    private void release() {
        endCurrent();
        batch = null;
        var done = command;
        command = null;
        if (done != null) {
            done.release();
        }
    }

    /** What goes wrong by a defect of ours must not leave a client waiting for ever. */
    void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            log.error("client {} is closed after an unexpected failure", session.client(), e);
            fail();
        }
    }

    void closeWhenAnswered() {
        closeWhenAnswered = true;
    }

    /** Gives up on a client whose answer can't be ended properly. */
    void cut() {
        release();
        out.close();
    }

    /** A statement on this connection has ended. */
    void rests(SessionBackend backend) {
        backends.rests(backend);
    }

    /** The client reads too slowly for this connection. */
    void slowDown(SessionBackend backend) {
        var before = slowed;
        if (before != null) {
            // Its own statement has ended, or it is this one.
            before.connection().setReading(true);
        }
        slowed = backend;
        backend.connection().setReading(false);
    }

    @Override
    public void onWritable(boolean writable) {
        var waiting = slowed;
        if (writable && waiting != null) {
            slowed = null;
            waiting.connection().setReading(true);
        }
        if (writable && current != null) {
            current.clientReadsAgain();
        }
        if (writable && batch != null) {
            batch.clientReadsAgain();
        }
    }

    /** The loop has just applied this topology. */
    void onTopology(TopologyView view) {
        backends.onTopology(view);
    }

    /** The router itself has failed with this client. */
    void fail() {
        onDefect();
        cut();
    }

    @Override
    public void onDefect() {
        loop.metrics().defects().increment();
    }

    /** The command that runs, or null. */
    @Nullable
    Execution current() {
        return current;
    }

    /** Nothing of the session's can go on: its next command is answered with this, and it is closed. */
    void doom(ErrPacket reason) {
        doom = reason;
    }

    StatementClock clock() {
        return clock;
    }

    SessionBackends backends() {
        return backends;
    }

    /** This connection has gone or is another session's. */
    void forget(SessionBackend backend) {
        if (slowed == backend) {
            slowed = null;
        }
    }

    /** Closes a session that rests, or with {@code force} any. */
    void shutDown(boolean force) {
        stopping = true;
        if (force) {
            out.close();
        } else if (current == null && !session.transaction().isOpen()) {
            if (command == null) {
                out.close();
            }
        } else if (!session.transaction().isOpen()) {
            closeWhenAnswered();
        }
    }

    @Override
    public void onGone() {
        if (gone) {
            return;
        }
        gone = true;
        loop.remove(this);
        loop.metrics().clients().decrementAndGet();
        loop.metrics().bytesOut().add(out.bytes());
        if (current != null) {
            current.abandon();
        }
        loop.pools().cancel(backends);
        release();
        leaveBackends();
        session.closeStatements();
        frames.releaseMemory();
    }

    /** The session needs its connections no more; an open transaction is rolled back by its server. */
    void leaveBackends() {
        slowed = null;
        backends.leaveAll();
        session.transaction().end();
    }

    /** A command that has been sent nowhere yet, as its shard does not serve, waits no longer. False: none waits. */
    boolean endWait(ErrPacket answer) {
        boolean waited = current != null && loop.holds().cancel(current);
        if (waited) {
            error(answer);
        }
        return waited;
    }

    boolean isGone() {
        return gone;
    }

    ClientSession session() {
        return session;
    }

    ClientOutput out() {
        return out;
    }

    RouterLoop loop() {
        return loop;
    }
}
