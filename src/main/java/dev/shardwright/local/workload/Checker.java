package dev.shardwright.local.workload;

import dev.shardwright.local.workload.Violation.Kind;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.vindex.ShardKeyValue;
import dev.shardwright.topology.vindex.Vindex;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Decides whether the shards hold what the clients were told. Feed it every row of every shard, then
 * {@link #shardsDone}, then every row that the router returns, then {@link #finish}. Does no I/O.
 */
final class Checker {
    static final int EXAMPLES = 100;

    private final Expected expected;
    private final Map<ChatTable, Vindex> vindexes;
    private final Map<ChatTable, Map<Long, Found>> found = new EnumMap<>(ChatTable.class);
    private final Map<Long, Long> balances = new HashMap<>();
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final List<Violation> examples = new ArrayList<>();

    /** A row that was met on a shard; {@code throughRouter} once the router has shown it too. */
    private record Found(String shard, Row row, boolean throughRouter) {}

    /** A shard as the topology names it. */
    record Shard(String name, KeyRange range) {}

    Checker(Expected expected, Map<ChatTable, Vindex> vindexes) {
        this.expected = expected;
        this.vindexes = vindexes;
        ChatTable.all().forEach(table -> found.put(table, new HashMap<>()));
        expected.anomalies().forEach(text -> report(Kind.ANOMALY, "client", "", text));
    }

    void onShard(Shard shard, Row row) {
        checkPlace(shard, row);
        var before = rows(row.table()).putIfAbsent(row.id(), new Found(shard.name(), row, false));
        if (before != null) {
            report(Kind.DOUBLED, row, "on " + before.shard() + " and on " + shard.name());
            return;
        }
        var fate = expected.of(row.table(), row.id());
        if (!fate.mayBeThere()) {
            report(
                    fate.deleted() ? Kind.RESURRECTED : Kind.FOREIGN,
                    row,
                    (fate.deleted() ? "was deleted" : "nobody wrote it, or its write failed") + ", is on "
                            + shard.name());
            return;
        }
        checkContent(row, fate);
    }

    private void checkPlace(Shard shard, Row row) {
        var vindex = vindexes.get(row.table());
        byte[] id = vindex == null ? null : vindex.keyspaceId(List.of(ShardKeyValue.Int.of(row.shardKey())));
        if (id == null || !shard.range().contains(id)) {
            report(
                    Kind.MISPLACED,
                    row,
                    "on " + shard.name() + ", which owns " + shard.range() + "; its keyspace id is "
                            + (id == null ? "none" : HexFormat.of().formatHex(id)));
        }
    }

    private void checkContent(Row row, Fate fate) {
        switch (row) {
            case Row.Message message -> checkMessage(message, fate);
            case Row.Lookup lookup -> {
                if (lookup.channel() != fate.place()) {
                    report(Kind.CORRUPT, row, "says channel " + lookup.channel() + ", written was " + fate.place());
                }
            }
            case Row.Account account -> balances.merge(account.id(), account.credits(), Long::sum);
            case Row.Transfer transfer -> checkTransfer(transfer);
        }
    }

    private void checkMessage(Row.Message row, Fate fate) {
        var data = expected.data();
        if (row.version() < fate.low()) {
            report(Kind.STALE, row, "version " + row.version() + ", acknowledged was " + fate.low());
        } else if (row.version() > fate.high()) {
            report(Kind.FOREIGN, row, "version " + row.version() + ", but none after " + fate.high() + " was written");
        } else if (row.channel() != fate.place()
                || row.user() != data.userOf(row.id())
                || !row.body().equals(data.body(row.id(), row.version()))) {
            report(Kind.CORRUPT, row, "version " + row.version() + " reads " + row);
        }
    }

    private void checkTransfer(Row.Transfer row) {
        var sent = expected.transfer(row.id());
        if (sent == null || sent.from() != row.account() || sent.to() != row.to() || sent.amount() != row.amount()) {
            report(Kind.CORRUPT, row, "reads " + row + ", sent was " + sent);
        }
        balances.merge(row.account(), row.amount(), Long::sum);
        balances.merge(row.to(), -row.amount(), Long::sum);
    }

    /** All rows of all shards have been given. */
    void shardsDone() {
        for (var table : ChatTable.all()) {
            expected.forEachId(table, id -> {
                if (!rows(table).containsKey(id) && !expected.of(table, id).mayBeGone()) {
                    report(Kind.LOST, table.tableName(), keyOf(table, id), "acknowledged, on no shard");
                }
            });
        }
        expected.openPairs().forEach(this::checkPair);
        checkBalances();
    }

    private String keyOf(ChatTable table, long id) {
        long place = expected.of(table, id).place();
        return switch (table) {
            case MESSAGES -> "channel_id=" + place + ", id=" + id;
            case MESSAGE_LOOKUP -> "message_id=" + id;
            case ACCOUNTS -> "id=" + id;
            case TRANSFERS -> "account_id=" + place + ", id=" + id;
        };
    }

    private void checkPair(Operation.PutPair pair) {
        var messages = rows(ChatTable.MESSAGES);
        if (messages.containsKey(pair.id()) != messages.containsKey(pair.second())) {
            report(
                    Kind.TORN,
                    "messages",
                    keyOf(ChatTable.MESSAGES, pair.id()),
                    "only one of the pair with id " + pair.second() + " is there");
        }
    }

    /** With every transfer on the shards undone, each account must have what it was given at first. */
    private void checkBalances() {
        long first = expected.data().shape().credits();
        balances.forEach((account, credits) -> {
            if (credits != first && rows(ChatTable.ACCOUNTS).containsKey(account)) {
                report(
                        Kind.UNBALANCED,
                        "accounts",
                        "id=" + account,
                        (credits - first) + " credits that no transfer explains");
            }
        });
    }

    /** A row that the router returned; only after {@link #shardsDone}. */
    void throughRouter(Row row) {
        var rows = rows(row.table());
        var onShard = rows.get(row.id());
        if (onShard == null) {
            report(Kind.ROUTER, row, "returned by the router, on no shard");
        } else if (onShard.throughRouter()) {
            report(Kind.DOUBLED, row, "returned twice by the router");
        } else {
            if (!onShard.row().equals(row)) {
                report(
                        Kind.ROUTER,
                        row,
                        "the router returned " + row + ", on " + onShard.shard() + " is " + onShard.row());
            }
            rows.put(row.id(), new Found(onShard.shard(), onShard.row(), true));
        }
    }

    /** All rows that the router returns have been given. */
    void routerDone() {
        for (var table : ChatTable.all()) {
            rows(table).values().stream()
                    .filter(row -> !row.throughRouter())
                    .forEach(row ->
                            report(Kind.ROUTER, row.row(), "on " + row.shard() + ", not returned by the router"));
        }
    }

    CheckReport finish(int histories) {
        var tally = expected.tally();
        var rows = new java.util.LinkedHashMap<String, Long>();
        found.forEach((table, map) -> rows.put(table.tableName(), (long) map.size()));
        return new CheckReport(
                histories,
                tally.acknowledged(),
                tally.failed(),
                tally.unknown(),
                tally.errorsByErrno(),
                rows,
                new EnumMap<>(allCounts()),
                List.copyOf(examples));
    }

    private Map<Kind, Long> allCounts() {
        for (var kind : Kind.values()) {
            counts.putIfAbsent(kind, 0L);
        }
        return counts;
    }

    private Map<Long, Found> rows(ChatTable table) {
        return java.util.Objects.requireNonNull(found.get(table));
    }

    private void report(Kind kind, Row row, String detail) {
        report(kind, row.table().tableName(), row.key(), detail);
    }

    private void report(Kind kind, String where, String key, String detail) {
        counts.merge(kind, 1L, Long::sum);
        if (examples.size() < EXAMPLES) {
            examples.add(new Violation(kind, where, key, detail));
        }
    }
}
