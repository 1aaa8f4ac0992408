package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.router.planner.StatementPlanner;
import dev.shardwright.router.planner.scan.Cut;
import dev.shardwright.router.planner.scan.StatementScanner;
import dev.shardwright.router.protocol.ErrorCatalogue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;

/**
 * A text of several statements. Each is cut off, planned and run as if it had come on its own, once the one
 * before it has succeeded; their answers follow each other as one. Only on a keyspace of one shard is a rest
 * of the text left to the server, if it alone can tell where the statements in it end.
 */
final class Batch {
    private final SessionRunner runner;
    private final byte[] attributes;
    private final byte[] text;
    private int from;
    private int sequence;
    private boolean more;
    private boolean waits;

    /**
     * @param attributes what stands between the command byte and the text
     * @param sequence of the first packet of the first answer
     */
    Batch(SessionRunner runner, byte[] attributes, byte[] text, int sequence) {
        this.runner = runner;
        this.attributes = attributes;
        this.text = text;
        this.sequence = sequence;
    }

    /** Whether there may be more than one statement in it. */
    static boolean mayBe(byte[] text) {
        int last = text.length - 1;
        while (last >= 0 && (text[last] == ';' || text[last] <= ' ' && text[last] >= 0)) {
            last--;
        }
        for (int i = 0; i < last; i++) {
            if (text[i] == ';') {
                return true;
            }
        }
        return false;
    }

    /** Whether another statement follows the one that runs. */
    boolean hasMore() {
        return more;
    }

    /** The statement that runs is the last one. */
    void stop() {
        more = false;
    }

    /** Sequence number of the running statement's first packet. */
    int sequence() {
        return sequence;
    }

    /** The running statement's answer ends with this packet. */
    void answeredUpTo(int last) {
        sequence = PacketBuilder.next(last);
    }

    void clientReadsAgain() {
        if (waits) {
            next();
        }
    }

    /** Runs the next statement, as soon as the client has read most of the answers so far. */
    void next() {
        if (!runner.runs(this)) {
            return;
        }
        waits = !runner.out().isWritable();
        if (!waits && !runner.isDoomed()) {
            run(StatementScanner.cut(text, from, runner.session().context(false).modes()));
        }
    }

    private void run(Cut cut) {
        var view = runner.loop().view();
        boolean oneShard = view != null && view.shards().size() == 1;
        boolean unsure =
                cut.unsure() || !StatementPlanner.reads(runner.session().context(false));
        if (unsure && oneShard) {
            part(cut.start(), text.length, -1);
            runner.run(new WholeTextRun(runner, TextSubject.of(runner, runner.payload())));
        } else if (unsure && !cut.isLast()) {
            more = false;
            runner.error(ErrorCatalogue.statementWithBody());
        } else {
            boolean rest = cut.isLast() || cut.isEmpty();
            part(cut.start(), rest ? text.length : cut.end(), rest ? -1 : cut.next());
            runner.run(new StatementRun(runner, TextSubject.of(runner, runner.payload())));
        }
    }

    /** Makes a part of the text the command that runs. */
    private void part(int start, int end, int next) {
        more = next >= 0;
        from = next;
        runner.runsInstead(command(Arrays.copyOfRange(text, start, end)));
    }

    private ByteBuf command(byte[] statement) {
        var out = ByteBufAllocator.DEFAULT.buffer(PacketBuilder.HEADER + 1 + attributes.length + statement.length);
        PacketBuilder.begin(out, 0)
                .int1(CommandByte.QUERY)
                .bytes(attributes)
                .bytes(statement)
                .end();
        return out;
    }
}
