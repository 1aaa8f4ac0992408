package dev.shardwright.router.session;

import dev.shardwright.mysql.wire.SessionChanges;
import org.jspecify.annotations.Nullable;

/**
 * What the client knows of its transaction beside the status bits. MySQL 9.7 tells clients that want to hear of changes
 * when a transaction that BEGIN began opens and ends, though its session_track_transaction_info is OFF; one that
 * autocommit = 0 began is no news.
 */
final class TransactionNews {
    private boolean told;
    private boolean again;

    /** A transaction has been begun by a statement, maybe in place of another one. */
    void begun() {
        again = true;
    }

    /** A server's own answer has told how it is. */
    void toldByServer(boolean open) {
        told = open;
        again = false;
    }

    /** What the next answer has to tell beside {@code others}; null: nothing. */
    @Nullable
    SessionChanges take(boolean open, @Nullable SessionChanges others) {
        boolean differs = open != told;
        if (!differs && !again) {
            return others;
        }
        again = false;
        told = open;
        var changes = others == null ? SessionChanges.none() : others;
        return differs ? changes.transaction(open) : changes;
    }

    /** A new session knows nothing. */
    void reset() {
        told = false;
        again = false;
    }
}
