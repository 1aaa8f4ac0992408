package dev.shardwright.local.workload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** What must be on the shards, what must not, and what may: the loaded data and every client's history put together. */
final class Expected implements History.Listener {
    private final ChatData data;
    private final Map<Long, Fate> messages = new HashMap<>();
    private final Map<Long, Fate> lookups = new HashMap<>();
    private final Map<Long, Fate> transfers = new HashMap<>();
    private final Map<Long, Operation.Transfer> transferContents = new HashMap<>();
    private final List<Operation.PutPair> openPairs = new ArrayList<>();
    private final List<String> anomalies = new ArrayList<>();
    private final Map<Integer, Long> errors = new TreeMap<>();
    private long acknowledged;
    private long failed;
    private long unknown;

    Expected(ChatData data) {
        this.data = data;
    }

    @Override
    public void write(Operation operation, Outcome outcome) {
        count(outcome);
        switch (operation) {
            case Operation.PutMessage(long id, long channel) -> messages.put(id, Fate.inserted(channel, outcome));
            case Operation.EditMessage(long id, long channel, int version) ->
                messages.put(id, message(id, channel).edited(version, outcome));
            case Operation.DropMessage(long id, long channel) ->
                messages.put(id, message(id, channel).dropped(outcome));
            case Operation.PutLookup(long id, long channel) -> lookups.put(id, Fate.inserted(channel, outcome));
            case Operation.DropLookup(long id) -> lookups.put(id, lookup(id).dropped(outcome));
            case Operation.PutPair pair -> pair(pair, outcome);
            case Operation.Transfer transfer -> {
                transfers.put(transfer.id(), Fate.inserted(transfer.from(), outcome));
                transferContents.put(transfer.id(), transfer);
            }
        }
    }

    private void count(Outcome outcome) {
        switch (outcome) {
            case Outcome.Acknowledged _ -> acknowledged++;
            case Outcome.Failed(int errno, String _) -> {
                failed++;
                errors.merge(errno, 1L, Long::sum);
            }
            case Outcome.Unknown(int errno, String _) -> {
                unknown++;
                errors.merge(errno, 1L, Long::sum);
            }
        }
    }

    private void pair(Operation.PutPair pair, Outcome outcome) {
        messages.put(pair.id(), Fate.inserted(pair.channel(), outcome));
        messages.put(pair.second(), Fate.inserted(pair.channel(), outcome));
        if (outcome instanceof Outcome.Unknown) {
            openPairs.add(pair);
        }
    }

    @Override
    public void anomaly(String text) {
        anomalies.add(text);
    }

    /** What may have become of the row with this id; for ids that nobody wrote it must not be there. */
    Fate of(ChatTable table, long id) {
        return switch (table) {
            case MESSAGES -> message(id, data.channelOf(id));
            case MESSAGE_LOOKUP -> lookup(id);
            case ACCOUNTS -> id >= 1 && id <= data.shape().accounts() ? Fate.present(id, 0) : Fate.neverWritten(id);
            case TRANSFERS -> transfers.getOrDefault(id, Fate.neverWritten(0));
        };
    }

    private Fate message(long id, long channel) {
        var written = messages.get(id);
        return written != null
                ? written
                : isLoaded(id) ? Fate.present(data.channelOf(id), 0) : Fate.neverWritten(channel);
    }

    private Fate lookup(long id) {
        var written = lookups.get(id);
        return written != null ? written : isLoaded(id) ? Fate.present(data.channelOf(id), 0) : Fate.neverWritten(0);
    }

    private boolean isLoaded(long id) {
        return id >= 1 && id <= data.shape().messages();
    }

    /** Calls {@code each} with every id of the table that was ever loaded or written. */
    void forEachId(ChatTable table, LongConsumer each) {
        switch (table) {
            case MESSAGES -> loadedAnd(messages, each);
            case MESSAGE_LOOKUP -> loadedAnd(lookups, each);
            case ACCOUNTS -> {
                for (long id = 1; id <= data.shape().accounts(); id++) {
                    each.accept(id);
                }
            }
            case TRANSFERS -> transfers.keySet().forEach(each::accept);
        }
    }

    private void loadedAnd(Map<Long, Fate> written, LongConsumer each) {
        for (long id = 1; id <= data.shape().messages(); id++) {
            each.accept(id);
        }
        written.keySet().stream().filter(id -> !isLoaded(id)).forEach(each::accept);
    }

    /** The transfer that was sent under this id, or null. */
    Operation.@Nullable Transfer transfer(long id) {
        return transferContents.get(id);
    }

    /** Pairs whose transaction may have committed or not: both or neither must be there. */
    List<Operation.PutPair> openPairs() {
        return openPairs;
    }

    /** Wrong answers that the clients met while they ran. */
    List<String> anomalies() {
        return anomalies;
    }

    ChatData data() {
        return data;
    }

    /** How the writes ended: acknowledged, failed, unknown, and the errors by errno. */
    Tally tally() {
        return new Tally(acknowledged, failed, unknown, Map.copyOf(errors));
    }

    record Tally(long acknowledged, long failed, long unknown, Map<Integer, Long> errorsByErrno) {}
}
