package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.PayloadReader;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.planner.SessionStatement.Assignment;
import dev.shardwright.router.planner.scan.SqlModes;
import dev.shardwright.router.session.SessionBackend;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** A SET: one server judges it, the session remembers it, and the other servers get it when they are needed. */
final class SetSubject extends DelegatingSubject {
    private final SessionRunner runner;
    private final List<Assignment> assignments;
    private final boolean autocommitBefore;

    SetSubject(SessionRunner runner, Subject statement, List<Assignment> assignments) {
        super(statement);
        this.runner = runner;
        this.assignments = assignments;
        this.autocommitBefore = runner.session().transaction().autocommit();
    }

    @Override
    public void succeeded(SessionBackend backend, ResponseScanner response, Runnable done) {
        var variables = runner.session().variables();
        assignments.forEach(variables::add);
        backend.hasVariables(variables.version());
        commitIfAutocommitCameOn();
        if (assignments.stream().anyMatch(SetSubject::changesReading)) {
            askHowTextIsRead(backend, done);
        } else {
            done.run();
        }
    }

    /** Turning autocommit on commits; a transaction that has reached no shard has nothing to commit. */
    private void commitIfAutocommitCameOn() {
        var transaction = runner.session().transaction();
        if (!autocommitBefore && transaction.autocommit() && transaction.waitsForShard()) {
            transaction.end();
        }
    }

    /** Whether statements are read differently from now on. */
    private static boolean changesReading(Assignment assignment) {
        var name = assignment.name().toLowerCase(Locale.ROOT);
        return name.startsWith("names")
                || name.startsWith("char")
                || name.startsWith("collation_connection")
                || name.contains("sql_mode");
    }

    private void askHowTextIsRead(SessionBackend backend, Runnable done) {
        var answer = new Answer();
        InternalCommand.select(
                backend,
                "SELECT @@character_set_client, @@character_set_connection, @@sql_mode",
                answer,
                new InternalCommand.Callback() {
                    @Override
                    public void succeeded(ResponseScanner result) {
                        runner.session().reads(answer.charset, answer.connection, SqlModes.parse(answer.sqlMode));
                        done.run();
                    }

                    @Override
                    public void refused(ErrPacket error) {
                        unknown(backend);
                    }

                    @Override
                    public void lost() {
                        unknown(backend);
                    }
                });
    }

    /** Without the answer no later statement could be read with certainty. */
    private void unknown(SessionBackend backend) {
        if (!runner.isGone()) {
            runner.cut();
        }
    }

    private static final class Answer implements ResponseScanner.PacketListener {
        private String charset = "";
        private String connection = "";
        private String sqlMode = "";

        @Override
        public void onColumn(ByteBuf payload) {}

        @Override
        public void onRow(ByteBuf payload) {
            var in = new PayloadReader(payload);
            charset = text(in).toLowerCase(Locale.ROOT);
            connection = text(in).toLowerCase(Locale.ROOT);
            sqlMode = text(in);
        }

        private static String text(PayloadReader in) {
            return new String(in.lengthEncodedBytes(), StandardCharsets.UTF_8);
        }
    }
}
