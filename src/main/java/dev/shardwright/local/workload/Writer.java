package dev.shardwright.local.workload;

import dev.shardwright.local.workload.ClientSession.Statement;
import dev.shardwright.local.workload.Outcome.Acknowledged;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes, and remembers. Each message is changed by one writer only, one change after the other; a
 * message whose last write has an unknown outcome is left alone for ever. So the history alone tells
 * what may be on the shards.
 */
final class Writer implements Runnable {
    private static final int MOST_AMOUNT = 5;

    private final ClientContext context;
    private final int thread;
    private final ThreadStats stats;
    private final MessageIds ids;
    private final SplittableRandom random;
    private final List<Known.Message> own = new ArrayList<>();
    private final Set<Long> finishedLoaded = new HashSet<>();

    Writer(ClientContext context, int thread, ThreadStats stats) {
        this.context = context;
        this.thread = thread;
        this.stats = stats;
        this.ids = new MessageIds(context.options().client(), thread);
        this.random = new SplittableRandom(ChatData.mix(context.options().client() * 1_000L + thread));
    }

    @Override
    public void run() {
        String name = "client-" + context.options().client() + "-writer-" + thread;
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
        if (dice < 50) {
            insert(log, session);
        } else if (dice < 70) {
            edit(log, session);
        } else if (dice < 80) {
            drop(log, session);
        } else if (dice < 90 && context.cells().hasPairs()) {
            transfer(log, session);
        } else {
            insertPair(log, session);
        }
    }

    private void insert(HistoryLog log, ClientSession session) {
        long id = ids.next();
        long channel = context.data().channelOf(id);
        var count = context.known().user(id);
        count.insertsIntended.incrementAndGet();
        var put = new Operation.PutMessage(id, channel);
        if (write(log, put, StatementKind.INSERT, () -> session.autocommit(putMessage(id, channel)))
                instanceof Acknowledged) {
            count.insertsAcknowledged.incrementAndGet();
            insertLookup(log, session, id, channel);
        }
    }

    private void insertLookup(HistoryLog log, ClientSession session, long id, long channel) {
        var statement =
                new Statement("INSERT INTO message_lookup (message_id, channel_id) VALUES (?, ?)", 1, id, channel);
        var put = new Operation.PutLookup(id, channel);
        if (write(log, put, StatementKind.INSERT, () -> session.autocommit(statement)) instanceof Acknowledged) {
            own.add(context.known().acknowledgeInsert(id, channel));
        }
    }

    private Statement putMessage(long id, long channel) {
        var data = context.data();
        return new Statement(
                "INSERT INTO messages (channel_id, id, user_id, version, body) VALUES (?, ?, ?, 0, ?)",
                1,
                channel,
                id,
                data.userOf(id),
                data.body(id, 0));
    }

    private void insertPair(HistoryLog log, ClientSession session) {
        long id = ids.next();
        long second = ids.next();
        long channel = context.data().channelOf(id);
        var counts = List.of(context.known().user(id), context.known().user(second));
        counts.forEach(count -> count.insertsIntended.incrementAndGet());
        var outcome = write(
                log,
                new Operation.PutPair(id, second, channel),
                StatementKind.TRANSACTION,
                () -> session.transaction(List.of(putMessage(id, channel), putMessage(second, channel))));
        if (outcome instanceof Acknowledged) {
            counts.forEach(count -> count.insertsAcknowledged.incrementAndGet());
            insertLookup(log, session, id, channel);
            insertLookup(log, session, second, channel);
        }
    }

    private void edit(HistoryLog log, ClientSession session) {
        var message = choose();
        if (message == null) {
            return;
        }
        int version = message.version() + 1;
        var statement = new Statement(
                "UPDATE messages SET version = ?, body = ? WHERE channel_id = ? AND id = ?",
                1,
                version,
                context.data().body(message.id, version),
                message.channel,
                message.id);
        message.intendEdit(version);
        var edit = new Operation.EditMessage(message.id, message.channel, version);
        switch (write(log, edit, StatementKind.UPDATE, () -> session.autocommit(statement))) {
            case Acknowledged _ -> message.acknowledgeEdit(version);
            case Outcome.Failed _ -> message.intendEdit(version - 1);
            case Outcome.Unknown _ -> abandon(message);
        }
    }

    private void drop(HistoryLog log, ClientSession session) {
        var message = choose();
        if (message == null) {
            return;
        }
        abandon(message);
        message.intendDrop();
        var count = context.known().user(message.id);
        count.dropsIntended.incrementAndGet();
        var dropLookup = new Statement("DELETE FROM message_lookup WHERE message_id = ?", 1, message.id);
        write(log, new Operation.DropLookup(message.id), StatementKind.DELETE, () -> session.autocommit(dropLookup));
        var drop =
                new Statement("DELETE FROM messages WHERE channel_id = ? AND id = ?", 1, message.channel, message.id);
        var outcome = write(
                log,
                new Operation.DropMessage(message.id, message.channel),
                StatementKind.DELETE,
                () -> session.autocommit(drop));
        if (outcome instanceof Acknowledged) {
            count.dropsAcknowledged.incrementAndGet();
            message.acknowledgeDrop();
        }
    }

    private void transfer(HistoryLog log, ClientSession session) {
        long[] accounts = context.cells().pair(random);
        var transfer = new Operation.Transfer(ids.next(), accounts[0], accounts[1], 1 + random.nextInt(MOST_AMOUNT));
        write(
                log,
                transfer,
                StatementKind.TRANSACTION,
                () -> session.transaction(List.of(
                        new Statement(
                                "UPDATE accounts SET credits = credits - ? WHERE id = ?",
                                1,
                                transfer.amount(),
                                transfer.from()),
                        new Statement(
                                "UPDATE accounts SET credits = credits + ? WHERE id = ?",
                                1,
                                transfer.amount(),
                                transfer.to()),
                        new Statement(
                                "INSERT INTO transfers (account_id, id, to_account, amount) VALUES (?, ?, ?, ?)",
                                1,
                                transfer.from(),
                                transfer.id(),
                                transfer.to(),
                                transfer.amount()))));
    }

    /** Intention, statement, outcome: in this order, whatever happens. */
    private Outcome write(HistoryLog log, Operation operation, StatementKind kind, Supplier<Outcome> statement) {
        long number = log.intend(operation);
        long began = System.nanoTime();
        var outcome = statement.get();
        stats.answered(kind, System.nanoTime() - began);
        log.outcome(number, outcome);
        if (outcome instanceof Outcome.Failed(int errno, String message) && errno == Outcome.WRONG_COUNT) {
            String wrong = operation.encode() + ": " + message;
            stats.anomaly(wrong);
            log.anomaly(wrong);
        }
        return outcome;
    }

    /** A message of this writer that may be changed: one that it wrote, or its part of the loaded ones. */
    private Known.@Nullable Message choose() {
        if (!own.isEmpty() && random.nextBoolean()) {
            return own.get(random.nextInt(own.size()));
        }
        for (int attempt = 0; attempt < 100; attempt++) {
            long id = 1 + random.nextLong(context.data().shape().messages());
            if (owns(id) && !finishedLoaded.contains(id)) {
                return context.known().loaded(id);
            }
        }
        return null;
    }

    private boolean owns(long id) {
        long bits = ChatData.mix(id + 1_000_000_007L);
        var options = context.options();
        return !ChatData.isUntouched(id)
                && Math.floorMod(bits, options.clients()) == options.client()
                && Math.floorMod(bits >> 24, options.writers()) == thread;
    }

    private void abandon(Known.Message message) {
        own.remove(message);
        if (MessageIds.isLoaded(message.id)) {
            finishedLoaded.add(message.id);
        }
    }
}
