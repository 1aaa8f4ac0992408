package dev.shardwright.local.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of this client know at this moment about the messages that they wrote: enough to
 * say of any answer whether it can be right.
 */
final class Known {
    private final Map<Long, Message> messages = new ConcurrentHashMap<>();
    private final List<Message> inOrder = new ArrayList<>();
    private final Map<Long, NavigableMap<Long, Message>> byChannel = new ConcurrentHashMap<>();
    private final Map<Long, UserCount> byUser = new ConcurrentHashMap<>();
    private final ChatData data;

    Known(ChatData data) {
        this.data = data;
    }

    /** One message's state; versions only grow, and once gone it stays gone. */
    static final class Message {
        final long id;
        final long channel;
        private int acknowledged;
        private int intended;
        private int seen;
        private boolean dropIntended;
        private boolean gone;

        Message(long id, long channel) {
            this.id = id;
            this.channel = channel;
        }

        synchronized void intendEdit(int version) {
            intended = version;
        }

        synchronized void acknowledgeEdit(int version) {
            acknowledged = version;
        }

        synchronized void intendDrop() {
            dropIntended = true;
        }

        synchronized void acknowledgeDrop() {
            gone = true;
        }

        synchronized int version() {
            return acknowledged;
        }

        /** What a read that begins now must at least see. */
        synchronized Floor floor() {
            return new Floor(Math.max(acknowledged, seen), gone);
        }

        /** What is wrong with this answer to a read that began at {@code floor}, or null; also remembers what was seen. */
        synchronized @Nullable String judge(Floor floor, @Nullable Integer version) {
            if (version == null) {
                if (!dropIntended) {
                    return "acknowledged, but not found";
                }
                gone = true;
                return null;
            }
            if (floor.gone()) {
                return "was gone, but found again in version " + version;
            }
            if (version < floor.version() || version > intended) {
                return "read in version " + version + ", must be " + floor.version() + " to " + intended;
            }
            seen = Math.max(seen, version);
            return null;
        }

        /** As {@link #judge} when its lookup is not found, which is dropped first: the message may still be there. */
        @Nullable
        String judgeNoLookup() {
            return mayBeGone() ? null : "its lookup was acknowledged, but not found";
        }

        synchronized boolean mayBeGone() {
            return dropIntended;
        }
    }

    record Floor(int version, boolean gone) {}

    /** How many messages of one user there can be. */
    static final class UserCount {
        final AtomicLong insertsIntended = new AtomicLong();
        final AtomicLong insertsAcknowledged = new AtomicLong();
        final AtomicLong dropsIntended = new AtomicLong();
        final AtomicLong dropsAcknowledged = new AtomicLong();
    }

    Message acknowledgeInsert(long id, long channel) {
        var message = new Message(id, channel);
        messages.put(id, message);
        byChannel.computeIfAbsent(channel, _ -> new ConcurrentSkipListMap<>()).put(id, message);
        synchronized (inOrder) {
            inOrder.add(message);
        }
        return message;
    }

    /** A loaded message that this client owns and is about to change. */
    Message loaded(long id) {
        return messages.computeIfAbsent(id, key -> {
            var message = new Message(key, data.channelOf(key));
            synchronized (inOrder) {
                inOrder.add(message);
            }
            return message;
        });
    }

    UserCount user(long id) {
        return byUser.computeIfAbsent(data.userOf(id), _ -> new UserCount());
    }

    UserCount countOf(long user) {
        return byUser.computeIfAbsent(user, _ -> new UserCount());
    }

    /** Some message that was written by this client, or null while there is none. */
    @Nullable
    Message any() {
        synchronized (inOrder) {
            return inOrder.isEmpty()
                    ? null
                    : inOrder.get(ThreadLocalRandom.current().nextInt(inOrder.size()));
        }
    }

    /** The newest messages of a channel that this client knows to be there, newest first. */
    List<Message> newest(long channel, int limit) {
        var known = byChannel.get(channel);
        if (known == null) {
            return List.of();
        }
        return known.descendingMap().values().stream()
                .filter(message -> !message.mayBeGone())
                .limit(limit)
                .toList();
    }
}
