package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.Plan.Access;
import dev.shardwright.router.planner.Residue;
import dev.shardwright.router.planner.scan.FirstWord;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.protocol.ResponseSink;
import dev.shardwright.router.session.SessionBackend;
import dev.shardwright.topology.model.ShardEntry;
import io.netty.buffer.ByteBuf;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One attempt to run a statement on one shard: the answer's bytes go to the client as they come. */
final class SingleShardRun implements Readying.Callback, ResponseSink {
    /** Writes that never commit implicitly. */
    private static final Set<String> ROW_STATEMENTS = Set.of("INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "SELECT");

    private final Execution execution;
    private final SessionRunner runner;
    private final Subject subject;
    private final ShardEntry shard;
    private final Access access;
    private final boolean joins;
    private final Effects effects;
    private final boolean inTransaction;
    private final boolean opens;
    private @Nullable SessionBackend backend;
    private @Nullable LockAnswer lockAnswer;
    private @Nullable PrepareRetries retries;
    private boolean moved;

    /**
     * @param joins it takes part in the session's transaction; otherwise it runs beside one that waits for
     *     its first shard
     */
    SingleShardRun(
            Execution execution, Subject subject, ShardEntry shard, Access access, boolean joins, Effects effects) {
        this.execution = execution;
        this.runner = execution.runner;
        this.subject = subject;
        this.shard = shard;
        this.access = access;
        this.joins = joins;
        this.effects = effects;
        var transaction = runner.session().transaction();
        this.inTransaction = transaction.backend() != null;
        this.opens = joins && transaction.waitsForShard();
    }

    void start() {
        Readying.start(runner, shard, subject.needs(joins).and(effects.insertId(), effects.fresh()), this);
    }

    @Override
    public void ready(SessionBackend ready) {
        if (runner.isGone()) {
            return;
        }
        if (!inTransaction && !mayStart()) {
            startOver(ready);
            return;
        }
        backend = ready;
        ready.runs(access);
        if (effects.residue().mayLeave()) {
            runner.session().pin(ready);
        }
        send(ready);
    }

    private void send(SessionBackend ready) {
        var command = subject.commandFor(ready);
        int length = command.readableBytes();
        var response = ready.connection().send(command, subject.kind(), this);
        runner.continues(response, length);
        if (!joins && runner.session().transaction().waitsForShard()) {
            response.addStatus(runner.session().transaction().openStatus());
        }
        if (effects.residue() instanceof Residue.Plain plain && plain.isToldByAnswer()) {
            lockAnswer = new LockAnswer(subject.prepared());
            response.listen(lockAnswer);
        }
        subject.sent(response);
    }

    /** The topology may have changed while the connection was made ready. */
    private boolean mayStart() {
        var view = runner.loop().view();
        return view != null && view.serves(shard);
    }

    private void startOver(SessionBackend unused) {
        giveBackTransaction();
        unused.connection().close();
        execution.attempt();
    }

    private void giveBackTransaction() {
        if (opens) {
            runner.session().transaction().reopenElsewhere();
        }
    }

    @Override
    public void refused(ErrPacket error) {
        runner.error(error);
    }

    @Override
    public void unavailable(ErrPacket error) {
        if (runner.isGone()) {
            return;
        }
        if (inTransaction) {
            runner.transactionEnded(ErrorCatalogue.transactionLost(shard.name()));
            return;
        }
        giveBackTransaction();
        runner.session().transaction().takeLoss();
        execution.retryLater(error);
    }

    /** Stops the statement because its transaction must end; the caller closes the connection. */
    Execution.Ending endTransaction() {
        if (backend == null) {
            return Execution.Ending.NOT_SENT;
        }
        moved = true;
        return Execution.Ending.STOPPED;
    }

    @Override
    public void onBytes(ByteBuf bytes) {
        runner.out().write(bytes);
        if (!runner.out().isWritable()) {
            runner.slowDown(running());
        }
    }

    @Override
    public void onFlush() {
        runner.out().flush();
    }

    @Override
    public void onFileRequest(ResponseScanner result) {
        runner.out().flush();
        runner.expectFile(running().connection(), result.sequence(), result.sequenceShift());
    }

    @Override
    public void onComplete(ResponseScanner result) {
        var on = running();
        var error = result.error();
        if (error != null) {
            finish(on, error, 0);
            return;
        }
        runner.session().transaction().observeAnswer(on, result.status());
        runner.out().flush();
        runner.wrote(result.sequence());
        long insertId = result.insertId();
        subject.succeeded(on, result, () -> finish(on, null, insertId));
    }

    private void finish(SessionBackend on, @Nullable ErrPacket error, long insertId) {
        runner.out().flush();
        if (error != null) {
            runner.stopBatch();
        }
        runner.session().ran(on);
        left(error == null);
        if (effects.insertId()
                || effects.residue() == Residue.Plain.ANYTHING
                || insertId != 0
                || error != null && access == Access.WRITE) {
            on.hasOwnInsertId();
            runner.session().insertId().isOn(on);
        }
        var transaction = runner.session().transaction();
        if (error != null && (transaction.backend() == on || !transaction.autocommit())) {
            askForStatus(on);
            return;
        }
        runner.rests(on);
        runner.answered();
    }

    private void left(boolean succeeded) {
        var session = runner.session();
        if (session.pinned() == null) {
            return;
        }
        session.left(effects.residue(), subject.database(), succeeded, lockAnswer == null ? null : lockAnswer.answer());
        if (succeeded
                && effects.residue() != Residue.Plain.FOUND_ROWS
                && FirstWord.of(subject.sql()).equals("SELECT")) {
            session.countedRows();
        }
    }

    /** An error may have ended the transaction (a deadlock does), and an error packet does not tell. */
    private void askForStatus(SessionBackend on) {
        InternalCommand.status(on, new InternalCommand.Callback() {
            @Override
            public void succeeded(ResponseScanner result) {
                runner.session().transaction().observe(on, result.status());
                runner.rests(on);
                runner.answered();
            }

            @Override
            public void refused(ErrPacket error) {
                on.connection().close();
                runner.answered();
            }

            @Override
            public void lost() {
                runner.answered();
            }
        });
    }

    @Override
    public void onError(ErrPacket error, ByteBuf packet) {
        var on = running();
        if (!ErrorCatalogue.refusedUnrun(error)) {
            if (error.errno() == ErrorCatalogue.TOO_MANY_STATEMENTS && prepares()) {
                packet.release();
                prepareAgain(on, error);
            } else {
                pass(error, packet);
                failed(on, error);
            }
            return;
        }
        packet.release();
        if (!inTransaction) {
            giveBackTransaction();
        }
        runner.session().left(Residue.Plain.NOTHING, null, true, null);
        runner.rests(on);
        if (inTransaction) {
            runner.session().transaction().end();
        }
        on.connection().close();
        if (inTransaction) {
            runner.transactionEnded(ErrorCatalogue.transactionMoved(shard.name()));
        } else {
            execution.retryLater(error);
        }
    }

    private void failed(SessionBackend on, ErrPacket error) {
        runner.loop().metrics().errors().increment();
        finish(on, error, 0);
    }

    /** Whether nothing else is done, so that it may be done again. */
    private boolean prepares() {
        return subject.kind() == ResponseScanner.Kind.PREPARE
                || FirstWord.of(subject.sql()).equals("PREPARE");
    }

    private void prepareAgain(SessionBackend on, ErrPacket error) {
        var kept = retries;
        if (kept == null) {
            kept = new PrepareRetries(runner);
            retries = kept;
        }
        kept.after(
                on,
                () -> {
                    if (on.connection().isOpen()) {
                        send(on);
                    } else {
                        lost(null);
                    }
                },
                () -> {
                    runner.out().error(runner.replySequence(), error);
                    failed(on, error);
                });
    }

    private void pass(ErrPacket error, ByteBuf packet) {
        var told = runner.clock().told(error);
        if (told == error) {
            runner.out().write(packet);
        } else {
            packet.release();
            runner.out().error(runner.replySequence(), told);
        }
    }

    @Override
    public void onLost(ResponseScanner result) {
        if (!runner.isGone()) {
            lost(result);
        }
    }

    /** @param result what has come of the answer; null: nothing */
    private void lost(@Nullable ResponseScanner result) {
        running().rests();
        boolean wasOpen = runner.session().transaction().isOpen()
                || !runner.session().transaction().autocommit();
        runner.session().transaction().end();
        var upload = runner.upload();
        if (upload != null) {
            upload.fail(lostDuringUpload(wasOpen, upload.isSent()));
        } else if (result != null && result.begun()) {
            lostDuringResult(result);
        } else if (wasOpen && !mayCommit()) {
            runner.transactionEnded(
                    moved
                            ? ErrorCatalogue.transactionMoved(shard.name())
                            : ErrorCatalogue.transactionLost(shard.name()));
        } else if (access == Access.READ && runner.clock().isUp()) {
            runner.error(ErrorCatalogue.statementTimeout());
        } else if (access == Access.READ) {
            execution.retryLater(ErrorCatalogue.connectionLost(shard.name()));
        } else {
            runner.error(ErrorCatalogue.outcomeUnknown(shard.name()));
        }
    }

    private ErrPacket lostDuringUpload(boolean inTransaction, boolean sent) {
        if (inTransaction) {
            return moved ? ErrorCatalogue.transactionMoved(shard.name()) : ErrorCatalogue.transactionLost(shard.name());
        }
        return sent ? ErrorCatalogue.outcomeUnknown(shard.name()) : ErrorCatalogue.lostDuringUpload(shard.name());
    }

    /** Some statements commit by themselves, so their transaction may not be lost. */
    private boolean mayCommit() {
        return access == Access.WRITE
                && !ROW_STATEMENTS.contains(FirstWord.of(subject.sql()).toUpperCase(Locale.ROOT));
    }

    private void lostDuringResult(ResponseScanner result) {
        if (result.betweenPackets()) {
            runner.errorAfter(
                    result.sequence(),
                    moved
                            ? ErrorCatalogue.transactionMoved(shard.name())
                            : ErrorCatalogue.lostDuringResult(shard.name()));
        } else {
            runner.cut();
        }
    }

    private SessionBackend running() {
        var on = backend;
        if (on == null) {
            throw new IllegalStateException("nothing has been sent to " + shard.name());
        }
        return on;
    }
}
