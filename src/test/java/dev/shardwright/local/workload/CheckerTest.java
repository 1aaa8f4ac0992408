package dev.shardwright.local.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.local.workload.Checker.Shard;
import dev.shardwright.local.workload.Violation.Kind;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.vindex.ShardKeyValue;
import dev.shardwright.topology.vindex.Vindex;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plants one fault after the other in shards that are right, and expects the checker to find exactly that one. */
class CheckerTest {
    /** Odd keys belong to the low shard, even ones to the high shard. */
    private static final Vindex ODD_LOW = new Vindex() {
        @Override
        public byte @Nullable [] keyspaceId(List<@Nullable ShardKeyValue> values) {
            return values.getFirst() instanceof ShardKeyValue.Int(BigInteger value)
                    ? ByteBuffer.allocate(8).putLong(value.testBit(0) ? 1 : -1).array()
                    : null;
        }

        @Override
        public int columns() {
            return 1;
        }
    };

    private static final Shard LOW = new Shard("chat-x-80", KeyRange.parse("-80"));
    private static final Shard HIGH = new Shard("chat-80-x", KeyRange.parse("80-"));
    private static final long WRITTEN = MessageIds.FIRST_WRITTEN + 7;
    private static final Outcome DONE = new Outcome.Acknowledged(1);
    private static final Outcome REFUSED = new Outcome.Failed(1290, "read only");
    private static final Outcome OPEN = new Outcome.Unknown(0, "link lost");

    private final ChatData data = new ChatData(new ChatShape(40, 8, 4, 6, 100));
    private final Expected expected = new Expected(data);
    private final List<Row> rows = new ArrayList<>(loaded());

    private List<Row> loaded() {
        var all = new ArrayList<Row>();
        for (long id = 1; id <= data.shape().messages(); id++) {
            all.add(message(id, data.channelOf(id), 0));
            all.add(new Row.Lookup(id, data.channelOf(id)));
        }
        for (long id = 1; id <= data.shape().accounts(); id++) {
            all.add(new Row.Account(id, data.shape().credits()));
        }
        return all;
    }

    private Row.Message message(long id, long channel, int version) {
        return new Row.Message(channel, id, data.userOf(id), version, data.body(id, version));
    }

    private static Shard home(Row row) {
        return row.shardKey() % 2 == 1 ? LOW : HIGH;
    }

    private Checker checked() {
        var vindexes = new EnumMap<ChatTable, Vindex>(
                ChatTable.all().stream().collect(Collectors.toMap(table -> table, _ -> ODD_LOW)));
        var checker = new Checker(expected, vindexes);
        rows.forEach(row -> checker.onShard(home(row), row));
        return checker;
    }

    private CheckReport report() {
        return end(checked());
    }

    private CheckReport end(Checker checker) {
        checker.shardsDone();
        rows.forEach(checker::throughRouter);
        checker.routerDone();
        return checker.finish(1);
    }

    private static Set<Kind> found(CheckReport report) {
        return report.violations().entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private void replace(Row old, Row now) {
        rows.set(rows.indexOf(old), now);
    }

    @Test
    void untouchedDataIsClean() {
        assertThat(report().examples()).isEmpty();
        assertThat(report().clean()).isTrue();
        assertThat(report().rows()).containsEntry("messages", 40L).containsEntry("accounts", 6L);
    }

    @Test
    void aLostRowIsNamedByTableAndKey() {
        expected.write(new Operation.PutMessage(WRITTEN, 3), DONE);

        assertThat(report().examples()).singleElement().satisfies(violation -> {
            assertThat(violation.kind()).isEqualTo(Kind.LOST);
            assertThat(violation.where()).isEqualTo("messages");
            assertThat(violation.key()).isEqualTo("channel_id=3, id=" + WRITTEN);
        });
    }

    @Test
    void aLostLoadedRowIsFound() {
        rows.remove(new Row.Lookup(12, data.channelOf(12)));

        assertThat(found(report())).containsExactly(Kind.LOST);
    }

    @Test
    void aRowOnTwoShardsIsDoubledAndOneOfThemMisplaced() {
        var checker = checked();
        var row = (Row.Message) rows.getFirst();
        checker.onShard(home(row) == LOW ? HIGH : LOW, row);

        assertThat(found(end(checker))).containsExactlyInAnyOrder(Kind.DOUBLED, Kind.MISPLACED);
    }

    @Test
    void aRowOnTheWrongShardIsMisplaced() {
        var row = rows.removeFirst();
        var checker = checked();
        checker.onShard(home(row) == LOW ? HIGH : LOW, row);
        rows.add(row);

        assertThat(found(end(checker))).containsExactly(Kind.MISPLACED);
    }

    @Test
    void anOlderVersionIsStale() {
        expected.write(new Operation.EditMessage(5, data.channelOf(5), 1), DONE);

        assertThat(found(report())).containsExactly(Kind.STALE);
    }

    @Test
    void anAcknowledgedEditIsClean() {
        expected.write(new Operation.EditMessage(5, data.channelOf(5), 1), DONE);
        replace(message(5, data.channelOf(5), 0), message(5, data.channelOf(5), 1));

        assertThat(report().clean()).isTrue();
    }

    @Test
    void aDeletedRowThatIsThereIsResurrected() {
        expected.write(new Operation.DropMessage(5, data.channelOf(5)), DONE);

        assertThat(found(report())).containsExactly(Kind.RESURRECTED);
    }

    @Test
    void aFailedInsertThatIsThereIsForeign() {
        expected.write(new Operation.PutMessage(WRITTEN, 3), REFUSED);
        rows.add(message(WRITTEN, 3, 0));

        assertThat(found(report())).containsExactly(Kind.FOREIGN);
    }

    @Test
    void aRowThatNobodyWroteIsForeign() {
        rows.add(new Row.Lookup(41, 1));

        assertThat(found(report())).containsExactly(Kind.FOREIGN);
    }

    @Test
    void anUnknownInsertMayBeThereOrNot() {
        expected.write(new Operation.PutMessage(WRITTEN, 3), OPEN);
        assertThat(report().clean()).isTrue();

        rows.add(message(WRITTEN, 3, 0));
        assertThat(report().clean()).isTrue();
    }

    @Test
    void anUnknownEditLeavesEitherVersionButNoOther() {
        long channel = data.channelOf(5);
        expected.write(new Operation.EditMessage(5, channel, 1), OPEN);
        assertThat(report().clean()).isTrue();

        replace(message(5, channel, 0), message(5, channel, 1));
        assertThat(report().clean()).isTrue();

        replace(message(5, channel, 1), message(5, channel, 2));
        assertThat(found(report())).containsExactly(Kind.FOREIGN);
    }

    @Test
    void anUnknownDeleteMayHaveHappened() {
        expected.write(new Operation.DropMessage(5, data.channelOf(5)), OPEN);
        assertThat(report().clean()).isTrue();

        rows.remove(message(5, data.channelOf(5), 0));
        assertThat(report().clean()).isTrue();
    }

    @Test
    void otherContentIsCorrupt() {
        var row = message(5, data.channelOf(5), 0);
        replace(
                row,
                new Row.Message(
                        row.channel(), row.id(), row.user(), 0, row.body().replace('.', '?')));

        assertThat(found(report())).containsExactly(Kind.CORRUPT);
    }

    @Test
    void halfOfAPairIsTorn() {
        expected.write(new Operation.PutPair(WRITTEN, WRITTEN + 1, 3), OPEN);
        rows.add(message(WRITTEN, 3, 0));

        assertThat(found(report())).containsExactly(Kind.TORN);
    }

    @Test
    void aTransferThatIsWholeIsClean() {
        expected.write(new Operation.Transfer(WRITTEN, 1, 3, 4), DONE);
        replace(new Row.Account(1, 100), new Row.Account(1, 96));
        replace(new Row.Account(3, 100), new Row.Account(3, 104));
        rows.add(new Row.Transfer(1, WRITTEN, 3, 4));

        assertThat(report().examples()).isEmpty();
    }

    @Test
    void halfATransferIsUnbalanced() {
        expected.write(new Operation.Transfer(WRITTEN, 1, 3, 4), OPEN);
        replace(new Row.Account(1, 100), new Row.Account(1, 96));

        assertThat(found(report())).containsExactly(Kind.UNBALANCED);
    }

    @Test
    void theRouterMustShowWhatTheShardsHold() {
        var checker = checked();
        checker.shardsDone();
        rows.stream().skip(1).forEach(checker::throughRouter);
        checker.throughRouter(rows.get(1));
        checker.routerDone();

        var report = checker.finish(1);
        assertThat(report.count(Kind.ROUTER)).isEqualTo(1);
        assertThat(report.count(Kind.DOUBLED)).isEqualTo(1);
    }

    @Test
    void wrongAnswersThatAClientMetCount() {
        expected.anomaly("message 4: acknowledged, but not found");

        assertThat(found(report())).containsExactly(Kind.ANOMALY);
    }
}
