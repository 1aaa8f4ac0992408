package dev.shardwright.router.executor;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What the router counts. Thread-safe; read by the management port. */
public final class RouterMetrics {
    /** How a statement was run. */
    public enum Kind {
        SINGLE,
        MERGED,
        DDL,
        SESSION,
        REFUSED
    }

    /** Why a client's connection ended before it was in. */
    public enum Refused {
        LIMIT,
        USER_LIMIT,
        LOGIN,
        TLS_REQUIRED,
        PROTOCOL;

        /** By the error that the client was sent. */
        public static Refused by(int errno) {
            return switch (errno) {
                case 1040 -> LIMIT;
                case 1203 -> USER_LIMIT;
                case 1045 -> LOGIN;
                case 3159 -> TLS_REQUIRED;
                default -> PROTOCOL;
            };
        }
    }

    private final Map<Refused, LongAdder> refused = new EnumMap<>(Refused.class);
    private final Map<Kind, LongAdder> statements = new EnumMap<>(Kind.class);
    private final LongAdder errors = new LongAdder();
    private final LongAdder held = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder transactionsEnded = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder invalidTopologies = new LongAdder();
    private final LongAdder defects = new LongAdder();
    private final AtomicInteger clients = new AtomicInteger();
    private final AtomicInteger backends = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();

    public RouterMetrics() {
        for (var kind : Kind.values()) {
            statements.put(kind, new LongAdder());
        }
        for (var reason : Refused.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    public LongAdder statements(Kind kind) {
        var counter = statements.get(kind);
        if (counter == null) {
            throw new IllegalStateException("every kind has a counter: " + kind);
        }
        return counter;
    }

    /** Connections that were refused before their clients were in. */
    public LongAdder refused(Refused reason) {
        var counter = refused.get(reason);
        if (counter == null) {
            throw new IllegalStateException("every reason has a counter: " + reason);
        }
        return counter;
    }

    /** Errors that clients were sent. */
    public LongAdder errors() {
        return errors;
    }

    /** Statements that had to wait for a shard. */
    public LongAdder held() {
        return held;
    }

    /** Statements that were sent again. */
    public LongAdder retried() {
        return retried;
    }

    /** Transactions that were rolled back because their shard moved or its connection was lost. */
    public LongAdder transactionsEnded() {
        return transactionsEnded;
    }

    /** Statements that were ended because they ran for too long. */
    public LongAdder timedOut() {
        return timedOut;
    }

    public LongAdder bytesIn() {
        return bytesIn;
    }

    public LongAdder bytesOut() {
        return bytesOut;
    }

    public LongAdder invalidTopologies() {
        return invalidTopologies;
    }

    /** Clients that were closed because the router itself failed; the log has the reasons. Always 0, or it is a bug. */
    public LongAdder defects() {
        return defects;
    }

    public AtomicInteger clients() {
        return clients;
    }

    public AtomicInteger backends() {
        return backends;
    }

    /** Statements that wait for a connection to their shard. */
    public AtomicInteger waiting() {
        return waiting;
    }
}
