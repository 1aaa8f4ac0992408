package dev.shardwright.router.session;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.ServerStatus;
import dev.shardwright.mysql.wire.SessionChanges;
import dev.shardwright.router.planner.SessionStatement.AccessMode;
import dev.shardwright.router.planner.SessionStatement.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The session's transaction. A BEGIN is only remembered; it is sent to the first shard that a statement
 * touches, and from then on the transaction lives on that backend connection.
 */
public final class Transaction {
    /** Savepoints that a transaction may set before it has touched a shard. */
    private static final int MAX_EARLY_SAVEPOINTS = 100;

    private static final Pattern ACCESS_MODE = Pattern.compile("\\bREAD\\s+(ONLY|WRITE)\\b", Pattern.CASE_INSENSITIVE);

    private boolean autocommit = true;
    private boolean begun;
    private AccessMode mode = AccessMode.UNNAMED;
    private boolean readOnly;
    /** It was begun by a statement, not by autocommit = 0. */
    private boolean explicit;

    private final TransactionNews news = new TransactionNews();
    private @Nullable SessionBackend backend;
    /** The server of {@link #backend} says so; savepoints alone begin nothing there. */
    private boolean underWay;

    private final List<Savepoint> earlySavepoints = new ArrayList<>();
    private final List<String> characteristics = new ArrayList<>();
    private boolean characteristicsSent;
    /** Those of the transaction that is open. */
    private List<String> current = List.of();
    /** What those for the next one say of the access mode. */
    private @Nullable Boolean nextReads;

    /** The server of this connection may still have those of a statement that touched no table. */
    private @Nullable SessionBackend keeper;
    /** A BEGIN is on its way there. */
    private boolean beginning;

    private @Nullable ErrPacket lost;

    public boolean autocommit() {
        return autocommit;
    }

    /** The connection on which a transaction is open, or savepoints of one that is yet to begin are set; or null. */
    public @Nullable SessionBackend backend() {
        return backend;
    }

    /** BEGIN came and no shard has been touched since. */
    public boolean waitsForShard() {
        return begun && backend == null;
    }

    public boolean isOpen() {
        return begun || backend != null;
    }

    /** As MySQL has it: with autocommit = 0, savepoints may be set before a transaction begins with the first table. */
    public boolean hasBegun() {
        return backend != null ? underWay : begun && explicit;
    }

    /** What a transaction that is chained to this one has to be like. */
    public Chained chained() {
        return new Chained(mode, readOnly, current);
    }

    /** @param characteristics what SET TRANSACTION said just for the one that has ended */
    public record Chained(AccessMode mode, boolean readOnly, List<String> characteristics) {}

    /** The one before has ended. */
    public void begin(Chained like, boolean sessionReads) {
        like.characteristics().forEach(this::characterise);
        var unlikeSession = sessionReads ? AccessMode.READ_WRITE : like.mode();
        begin(like.readOnly() ? AccessMode.READ_ONLY : unlikeSession, sessionReads);
    }

    /** Status bits that the client sees: a transaction that it began is open for it before it has reached a shard too. */
    public int status() {
        return (autocommit ? ServerStatus.AUTOCOMMIT : 0) | openStatus();
    }

    /** Those of {@link #status} that tell of an open transaction. */
    public int openStatus() {
        return !hasBegun() ? 0 : ServerStatus.IN_TRANSACTION | (readOnly ? ServerStatus.IN_READ_ONLY_TRANSACTION : 0);
    }

    /**
     * By a statement for that.
     *
     * @param sessionReads what the session's variable says of transactions whose mode nobody named
     */
    public void begin(AccessMode named, boolean sessionReads) {
        beginImplicitly(sessionReads);
        mode = named;
        readOnly = named == AccessMode.UNNAMED ? readOnly : named == AccessMode.READ_ONLY;
        explicit = true;
        news.begun();
    }

    /** A savepoint is set in the one that the next table begins, as autocommit is off. */
    public void beginImplicitly(boolean sessionReads) {
        begun = true;
        underWay = false;
        explicit = false;
        mode = AccessMode.UNNAMED;
        readOnly = Objects.requireNonNullElse(nextReads, sessionReads);
        current = List.copyOf(characteristics);
        backend = null;
        earlySavepoints.clear();
    }

    /** What starts the transaction on its shard, in order. */
    public List<String> opening() {
        var statements = new ArrayList<>(characteristics());
        if (explicit) {
            statements.add(mode.sql());
        }
        earlySavepoints.forEach(savepoint -> statements.add(savepoint.sql()));
        return statements;
    }

    /** Whether the connection that has run this one of {@link #opening} is the transaction's from then on. */
    public boolean isOpenedBy(String sql) {
        return waitsForShard()
                && (explicit && sql.equals(mode.sql())
                        || earlySavepoints.stream()
                                .anyMatch(savepoint -> savepoint.sql().equals(sql)));
    }

    /** False when there are too many to remember. */
    public boolean saveEarly(Savepoint savepoint) {
        earlySavepoints.removeIf(earlier -> earlier.name().equalsIgnoreCase(savepoint.name()));
        return earlySavepoints.size() < MAX_EARLY_SAVEPOINTS && earlySavepoints.add(savepoint);
    }

    /** There is nothing to undo yet but later savepoints. False when there is none of this name. */
    public boolean backToEarly(String name, boolean release) {
        boolean found = cutEarly(name, release);
        begun = explicit || !earlySavepoints.isEmpty();
        return found;
    }

    private boolean cutEarly(String name, boolean release) {
        for (int i = 0; i < earlySavepoints.size(); i++) {
            if (earlySavepoints.get(i).name().equalsIgnoreCase(name)) {
                earlySavepoints
                        .subList(release ? i : i + 1, earlySavepoints.size())
                        .clear();
                return true;
            }
        }
        return false;
    }

    /** SET TRANSACTION: holds for the next transaction only. */
    public void characterise(String sql) {
        if (characteristics.size() == 2) {
            characteristics.removeFirst();
        }
        characteristics.add(sql);
        accessMode(sql).ifPresent(onlyReads -> nextReads = onlyReads);
        characteristicsSent = false;
    }

    /** Whether SET TRANSACTION, in any of its forms, lets only reads through; empty when it does not say. */
    static Optional<Boolean> accessMode(String sql) {
        var found = ACCESS_MODE.matcher(sql);
        return found.find() ? Optional.of(found.group(1).equalsIgnoreCase("ONLY")) : Optional.empty();
    }

    private void forgetCharacteristics() {
        characteristics.clear();
        characteristicsSent = false;
        nextReads = null;
    }

    /** Those that the next transaction's server has not been sent yet. */
    public List<String> characteristics() {
        return characteristicsSent ? List.of() : List.copyOf(characteristics);
    }

    public void characteristicsSent() {
        characteristicsSent = true;
    }

    /** The server's status after a statement on this connection. */
    public void observe(SessionBackend on, int status) {
        autocommit = (status & ServerStatus.AUTOCOMMIT) != 0;
        if (characteristicsSent) {
            current = List.copyOf(characteristics);
            forgetCharacteristics();
            keeper = on;
        }
        boolean wasUnderWay = underWay;
        underWay = (status & ServerStatus.IN_TRANSACTION) != 0;
        if (underWay) {
            // A server that commits by itself has it from a BEGIN, maybe in a procedure.
            explicit = beginning || explicit && isOpen() || autocommit;
            keeper = null;
            backend = on;
            begun = false;
            readOnly = (status & ServerStatus.IN_READ_ONLY_TRANSACTION) != 0;
        } else if (backend == on && (wasUnderWay || autocommit)) {
            backend = null;
            begun = false;
            current = List.of();
        }
        beginning = false;
    }

    /**
     * Where SET TRANSACTION of this session may still wait for a transaction, because MySQL keeps it until one touches a
     * table; null: nowhere. The connection may be another session's now, or closed.
     */
    public @Nullable SessionBackend keeper() {
        return keeper;
    }

    /** The client's own BEGIN is sent to {@link #keeper}, whose answer tells what the transaction is like. */
    public void beginsAtKeeper(AccessMode named) {
        mode = named;
        current = List.of();
        earlySavepoints.clear();
        beginning = true;
    }

    /** Also how this answer of the server, which goes to the client, has told of the transaction. */
    public void observeAnswer(SessionBackend on, int status) {
        observe(on, status);
        if ((status & ServerStatus.SESSION_STATE_CHANGED) != 0 && !waitsForShard()) {
            news.toldByServer(isExplicit());
        }
    }

    private boolean isExplicit() {
        return isOpen() && explicit;
    }

    /** What an answer of the router's own has to tell beside {@code others}; null: nothing. */
    public @Nullable SessionChanges news(@Nullable SessionChanges others) {
        return news.take(isExplicit(), others);
    }

    /** What {@link #opening} says has been done on this connection. */
    public void openedOn(SessionBackend on) {
        backend = on;
        underWay = explicit;
    }

    /** What was opened there has done nothing yet, so it may begin again elsewhere. */
    public void reopenElsewhere() {
        backend = null;
        begun = true;
        characteristicsSent = false;
    }

    public void end() {
        begun = false;
        explicit = false;
        readOnly = false;
        current = List.of();
        backend = null;
        underWay = false;
        keeper = null;
        beginning = false;
        earlySavepoints.clear();
    }

    /** It has been rolled back behind the client's back; its next statement is answered with this. */
    public void lose(ErrPacket reason) {
        end();
        lost = reason;
    }

    public boolean isLost() {
        return lost != null;
    }

    /** Why it was lost; asked once. */
    public @Nullable ErrPacket takeLoss() {
        var reason = lost;
        lost = null;
        return reason;
    }

    public void reset() {
        end();
        news.reset();
        autocommit = true;
        forgetCharacteristics();
        lost = null;
    }
}
