package dev.shardwright.local.workload;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Reads, and compares each answer with what this client knows for certain. */
final class Reader implements Runnable {
    private static final int LATEST = 50;

    private final ClientContext context;
    private final int thread;
    private final ThreadStats stats;
    private final SplittableRandom random;

    Reader(ClientContext context, int thread, ThreadStats stats) {
        this.context = context;
        this.thread = thread;
        this.stats = stats;
        this.random = new SplittableRandom(ChatData.mix(-context.options().client() * 1_000L - thread - 1));
    }

    @Override
    public void run() {
        String name = "client-" + context.options().client() + "-reader-" + thread;
        try (var log = new HistoryLog(context.options().history(), name);
                var session = context.session(thread, stats)) {
            session.connect();
            while (!context.stopping().getAsBoolean()) {
                step(log, session);
                context.pause();
            }
        }
    }

    private void step(HistoryLog log, ClientSession session) {
        int dice = random.nextInt(100);
        try {
            String wrong = dice < 50
                    ? byKey(session, false)
                    : dice < 75 ? byKey(session, true) : dice < 90 ? latest(session) : overAllShards(session);
            if (wrong != null) {
                stats.anomaly(wrong);
                log.anomaly(wrong);
            }
        } catch (SQLException e) {
            // Counted by the session; the next read tries again.
        }
    }

    private @Nullable String byKey(ClientSession session, boolean lookUp) throws SQLException {
        var written = random.nextBoolean() ? context.known().any() : null;
        long id = written == null ? untouched() : written.id;
        var floor = written == null ? new Known.Floor(0, false) : written.floor();
        long began = System.nanoTime();
        Long channel = lookUp ? lookUp(session, id) : (Long) context.data().channelOf(id);
        if (written != null && !lookUp) {
            channel = written.channel;
        }
        var rows = channel == null
                ? List.<Row.Message>of()
                : messages(session, " WHERE channel_id = ? AND id = ?", channel, id);
        stats.answered(lookUp ? StatementKind.LOOKUP_READ : StatementKind.POINT_READ, System.nanoTime() - began);
        if (channel == null && written != null) {
            String wrong = written.judgeNoLookup();
            return wrong == null ? null : "message " + id + ": " + wrong;
        }
        return judge(id, written, floor, rows);
    }

    private long untouched() {
        long quarter = context.data().shape().messages() / 4;
        return quarter == 0 ? 1 : 4 * (1 + random.nextLong(quarter));
    }

    private static @Nullable Long lookUp(ClientSession session, long id) throws SQLException {
        var channels =
                session.query(row -> row.getLong(1), "SELECT channel_id FROM message_lookup WHERE message_id = ?", id);
        return channels.isEmpty() ? null : channels.getFirst();
    }

    private static List<Row.Message> messages(ClientSession session, String where, Object... values)
            throws SQLException {
        return session.query(
                row -> (Row.Message) Row.read(ChatTable.MESSAGES, row),
                Row.selectAll(ChatTable.MESSAGES) + where,
                values);
    }

    private @Nullable String judge(
            long id, Known.@Nullable Message written, Known.Floor floor, List<Row.Message> rows) {
        if (rows.size() > 1) {
            return "message " + id + ": " + rows.size() + " rows for one primary key";
        }
        var row = rows.isEmpty() ? null : rows.getFirst();
        if (row != null && !isWhole(row)) {
            return "message " + id + ": wrong content " + row;
        }
        Integer version = row == null ? null : (Integer) row.version();
        String wrong = written != null ? written.judge(floor, version) : judgeUntouched(version);
        return wrong == null ? null : "message " + id + ": " + wrong;
    }

    private static @Nullable String judgeUntouched(@Nullable Integer version) {
        return version == null
                ? "loaded and never changed, but not found"
                : version != 0 ? "loaded and never changed, but read in version " + version : null;
    }

    private boolean isWhole(Row.Message row) {
        var data = context.data();
        return row.user() == data.userOf(row.id()) && row.body().equals(data.body(row.id(), row.version()));
    }

    private @Nullable String latest(ClientSession session) throws SQLException {
        var written = context.known().any();
        long channel = written == null ? context.data().channelOf(untouched()) : written.channel;
        Map<Known.Message, Known.Floor> floors = new HashMap<>();
        context.known().newest(channel, LATEST).forEach(message -> floors.put(message, message.floor()));
        long began = System.nanoTime();
        var rows = messages(session, " WHERE channel_id = ? ORDER BY id DESC LIMIT " + LATEST, channel);
        stats.answered(StatementKind.LATEST_READ, System.nanoTime() - began);
        String wrong = judgeLatest(channel, rows);
        return wrong != null ? "latest of channel " + channel + ": " + wrong : judgeKnown(rows, floors);
    }

    private @Nullable String judgeLatest(long channel, List<Row.Message> rows) {
        long before = Long.MAX_VALUE;
        for (var row : rows) {
            if (row.channel() != channel || row.id() >= before) {
                return "message " + row.id() + " of channel " + row.channel() + " is out of place after " + before;
            }
            if (!isWhole(row)) {
                return "wrong content " + row;
            }
            before = row.id();
        }
        return null;
    }

    /** Whatever this client knew to be there and new enough must be among the rows. */
    private static @Nullable String judgeKnown(List<Row.Message> rows, Map<Known.Message, Known.Floor> floors) {
        long oldest = rows.size() < LATEST ? Long.MIN_VALUE : rows.getLast().id();
        var versions = new HashMap<Long, Integer>();
        rows.forEach(row -> versions.put(row.id(), row.version()));
        for (var known : floors.entrySet()) {
            var message = known.getKey();
            String wrong = message.id < oldest ? null : message.judge(known.getValue(), versions.get(message.id));
            if (wrong != null) {
                return "message " + message.id + " among the latest of channel " + message.channel + ": " + wrong;
            }
        }
        return null;
    }

    private @Nullable String overAllShards(ClientSession session) throws SQLException {
        return random.nextBoolean() ? messagesOfUser(session) : credits(session);
    }

    private @Nullable String messagesOfUser(ClientSession session) throws SQLException {
        long user = ChatData.userOfClient(context.options().client(), random.nextInt(ChatData.usersOfClient()));
        var count = context.known().countOf(user);
        long inserted = count.insertsAcknowledged.get();
        long dropped = count.dropsAcknowledged.get();
        long began = System.nanoTime();
        long found = session.query(row -> row.getLong(1), "SELECT COUNT(*) FROM messages WHERE user_id = ?", user)
                .getFirst();
        stats.answered(StatementKind.SCATTER_READ, System.nanoTime() - began);
        long least = inserted - count.dropsIntended.get();
        long most = count.insertsIntended.get() - dropped;
        return found >= least && found <= most
                ? null
                : "user " + user + " has " + found + " messages, must be " + least + " to " + most;
    }

    /** Each transfer stays on one shard, so the sum is right in every answer. */
    private @Nullable String credits(ClientSession session) throws SQLException {
        var shape = context.data().shape();
        long began = System.nanoTime();
        long[] found = session.query(
                        row -> new long[] {row.getLong(1), row.getLong(2)},
                        "SELECT COUNT(*), SUM(credits) FROM accounts")
                .getFirst();
        stats.answered(StatementKind.SCATTER_READ, System.nanoTime() - began);
        return found[0] == shape.accounts() && found[1] == shape.totalCredits()
                ? null
                : found[0] + " accounts with " + found[1] + " credits, must be " + shape.accounts() + " with "
                        + shape.totalCredits();
    }
}
