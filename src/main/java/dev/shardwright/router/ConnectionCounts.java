package dev.shardwright.router;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.protocol.ErrorCatalogue;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many clients are connected, about to log in or logged in, and as whom. Those that have proven nothing yet are
 * counted apart, so they can't take the places of those that have. A channel's close gives back what it was counted for.
 * Thread-safe: connections of all event loops are counted together.
 */
final class ConnectionCounts {
    private static final AttributeKey<Place> PLACE = AttributeKey.valueOf(ConnectionCounts.class, "place");

    private final int limit;
    private final int userLimit;
    private final Map<String, Integer> users = new HashMap<>();
    private int waiting;
    private int loggedIn;

    /** What a channel is counted for. */
    private static final class Place {
        private @Nullable String user;
        private boolean closed;
    }

    /**
     * @param limit of clients that are logged in, and again of those that are about to
     * @param userLimit of clients logged in as the same user, 0: none
     */
    ConnectionCounts(int limit, int userLimit) {
        this.limit = limit;
        this.userLimit = userLimit;
    }

    /** Counts a new connection, or says why it is refused. */
    synchronized @Nullable ErrPacket connects(Channel channel) {
        if (waiting >= limit || loggedIn >= limit) {
            return ErrorCatalogue.tooManyConnections();
        }
        waiting++;
        channel.attr(PLACE).set(new Place());
        channel.closeFuture().addListener(closed -> leaves(channel));
        return null;
    }

    /** The client has proven to be this user, at its login or later; or says why it is refused. */
    synchronized @Nullable ErrPacket becomes(Channel channel, String user) {
        var place = place(channel);
        var before = place.user;
        if (place.closed || user.equals(before)) {
            return null;
        }
        if (before == null && loggedIn >= limit) {
            return ErrorCatalogue.tooManyConnections();
        }
        if (userLimit > 0 && users.getOrDefault(user, 0) >= userLimit) {
            return ErrorCatalogue.tooManyUserConnections(user);
        }
        if (before == null) {
            waiting--;
            loggedIn++;
        } else {
            forget(before);
        }
        users.merge(user, 1, Integer::sum);
        place.user = user;
        return null;
    }

    private synchronized void leaves(Channel channel) {
        var place = place(channel);
        place.closed = true;
        if (place.user == null) {
            waiting--;
        } else {
            loggedIn--;
            forget(place.user);
        }
    }

    private void forget(String user) {
        users.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
    }

    private static Place place(Channel channel) {
        var place = channel.attr(PLACE).get();
        if (place == null) {
            throw new IllegalStateException("a connection that was not counted");
        }
        return place;
    }

    /** Whether nobody is counted. */
    synchronized boolean isEmpty() {
        return waiting == 0 && loggedIn == 0 && users.isEmpty();
    }
}
