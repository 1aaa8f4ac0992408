package dev.shardwright.local.workload;

import dev.shardwright.topology.vindex.Vindex;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Makes the chat's tables and fills them, by inserts of many rows that share a shard. */
public final class Loader {
    private final Address address;
    private final ChatData data;
    private final Vindex vindex;
    private final LoadOptions options;
    private final AtomicLong loaded = new AtomicLong();

    /**
     * @param rowsPerInsert rows of one statement, at most
     * @param connections statements at a time
     */
    public record LoadOptions(int rowsPerInsert, int connections) {
        public static final LoadOptions DEFAULT = new LoadOptions(200, 4);
    }

    /** Rows of one table that share a shard, by their ids. */
    private record Batch(ChatTable table, List<Long> ids) {}

    /** The vindex must be the one that the keyspace uses for the chat's tables. */
    public Loader(Address address, ChatData data, Vindex vindex, LoadOptions options) {
        this.address = address;
        this.data = data;
        this.vindex = vindex;
        this.options = options;
    }

    /** Loads everything and returns how many rows that were; {@code progress} hears of the rows so far. */
    public long load(LongConsumer progress) throws SQLException, InterruptedException {
        createTables();
        Queue<Batch> batches = new ConcurrentLinkedQueue<>(batches());
        try (var workers = new Workers("loader")) {
            for (int i = 0; i < options.connections(); i++) {
                workers.start(() -> insertAll(batches, progress));
            }
            workers.await();
        }
        return loaded.get();
    }

    private void createTables() throws SQLException {
        try (var connection = address.connect(false);
                var statement = connection.createStatement()) {
            for (var table : ChatTable.all()) {
                statement.execute(table.ddl());
            }
        }
    }

    private List<Batch> batches() {
        var shape = data.shape();
        var cellOfChannel = new HashMap<Long, Integer>();
        Cells.of(vindex, 1, shape.channels())
                .forEach((cell, channels) -> channels.forEach(channel -> cellOfChannel.put(channel, cell)));
        var messages = new TreeMap<Integer, List<Long>>();
        for (long id = 1; id <= shape.messages(); id++) {
            int cell = Objects.requireNonNull(cellOfChannel.get(data.channelOf(id)));
            messages.computeIfAbsent(cell, _ -> new ArrayList<>()).add(id);
        }
        var batches = new ArrayList<Batch>();
        messages.values().forEach(ids -> cut(ChatTable.MESSAGES, ids, batches));
        Cells.of(vindex, 1, shape.messages()).values().forEach(ids -> cut(ChatTable.MESSAGE_LOOKUP, ids, batches));
        Cells.of(vindex, 1, shape.accounts()).values().forEach(ids -> cut(ChatTable.ACCOUNTS, ids, batches));
        return batches;
    }

    private void cut(ChatTable table, List<Long> ids, List<Batch> batches) {
        for (int from = 0; from < ids.size(); from += options.rowsPerInsert()) {
            batches.add(new Batch(table, ids.subList(from, Math.min(ids.size(), from + options.rowsPerInsert()))));
        }
    }

    private void insertAll(Queue<Batch> batches, LongConsumer progress) throws SQLException {
        try (var connection = address.connect(false)) {
            for (var batch = batches.poll(); batch != null; batch = batches.poll()) {
                insert(connection, batch);
                progress.accept(loaded.addAndGet(batch.ids().size()));
            }
        }
    }

    private void insert(Connection connection, Batch batch) throws SQLException {
        String one = switch (batch.table()) {
            case MESSAGES -> "(?, ?, ?, 0, ?)";
            case MESSAGE_LOOKUP, ACCOUNTS -> "(?, ?)";
            case TRANSFERS -> throw new IllegalStateException("no transfer is loaded");
        };
        String into = switch (batch.table()) {
            case MESSAGES -> "messages (channel_id, id, user_id, version, body)";
            case MESSAGE_LOOKUP -> "message_lookup (message_id, channel_id)";
            case ACCOUNTS -> "accounts (id, credits)";
            case TRANSFERS -> "transfers";
        };
        String sql = "INSERT INTO " + into + " VALUES "
                + String.join(", ", java.util.Collections.nCopies(batch.ids().size(), one));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            var values = new ArrayDeque<Object>();
            batch.ids().forEach(id -> values.addAll(values(batch.table(), id)));
            for (int i = 1; !values.isEmpty(); i++) {
                statement.setObject(i, values.poll());
            }
            int rows = statement.executeUpdate();
            if (rows != batch.ids().size()) {
                throw new IllegalStateException("an insert of " + batch.ids().size() + " rows into "
                        + batch.table().tableName() + " reported " + rows + " rows");
            }
        }
    }

    private List<Object> values(ChatTable table, long id) {
        return switch (table) {
            case MESSAGES -> List.of(data.channelOf(id), id, data.userOf(id), data.body(id, 0));
            case MESSAGE_LOOKUP -> List.of(id, data.channelOf(id));
            case ACCOUNTS -> List.of(id, data.shape().credits());
            case TRANSFERS -> List.of();
        };
    }
}
