package dev.shardwright.router.session;

import org.jspecify.annotations.Nullable;

/**
 * Where the session's LAST_INSERT_ID() is. A server keeps it for the connection that made the id, and connections are
 * shared, so it may have to be carried to another one.
 */
public final class InsertId {
    /** What is known of it. */
    public enum Place {
        /** {@link #value} is it. */
        HERE,
        /** {@link #backend} knows it. */
        ON_BACKEND,
        /** Another session has got the connection and asks it before it does anything else. */
        ASKED_FOR,
        /** The connection that knew it is gone. */
        LOST
    }

    private Place place = Place.HERE;
    private @Nullable SessionBackend backend;
    private long value;

    public Place place() {
        return place;
    }

    public @Nullable SessionBackend backend() {
        return backend;
    }

    /** As the server's unsigned BIGINT. */
    public long value() {
        return value;
    }

    /** Whether LAST_INSERT_ID() is right on this connection, or on a new one when it is null. */
    public boolean isKnownBy(@Nullable SessionBackend asked) {
        return switch (place) {
            case HERE -> value == 0 && (asked == null || !asked.hasForeignInsertId());
            case ON_BACKEND -> backend == asked;
            case ASKED_FOR, LOST -> false;
        };
    }

    /** A statement on this connection may have changed it. */
    public void isOn(SessionBackend changed) {
        place = Place.ON_BACKEND;
        backend = changed;
    }

    /** The session is about to lose the connection to another one. True when that one must ask for the id first. */
    boolean leaves(SessionBackend lost) {
        if (backend != lost) {
            return false;
        }
        place = Place.ASKED_FOR;
        return true;
    }

    /** The connection has gone with the id. */
    void gone(SessionBackend lost) {
        if (backend == lost) {
            place = Place.LOST;
            backend = null;
        }
    }

    /** The connection has been asked. */
    public void told(SessionBackend asked, long id) {
        if (backend == asked) {
            place = Place.HERE;
            backend = null;
            value = id;
        }
    }

    void reset() {
        place = Place.HERE;
        backend = null;
        value = 0;
    }
}
