package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.SessionBackend;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * KILL of a router's client, by the id that its login was told or by that of its session on the only server. What the
 * client runs is ended on each server by a connection of its own user, as its own connections are busy with it.
 */
final class Kill {
    private static final Pattern STATEMENT = Pattern.compile(
            "(?>\\s+|/\\*(?>.*?\\*/))*+KILL\\s+(?:(QUERY|CONNECTION)\\s+)?(\\d{1,18})\\s*;?\\s*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final SessionRunner runner;
    private final boolean queryOnly;
    private final long id;
    private final @Nullable SessionRunner target;
    private int unanswered;
    private @Nullable ErrPacket failure;

    private Kill(SessionRunner runner, boolean queryOnly, long id, @Nullable SessionRunner target) {
        this.runner = runner;
        this.queryOnly = queryOnly;
        this.id = id;
        this.target = target;
    }

    /**
     * Null when the statement does not name a client.
     *
     * @param byServer whether an id may be that of a server's session
     */
    static @Nullable Kill of(SessionRunner runner, byte[] sql, boolean byServer) {
        var matcher = STATEMENT.matcher(new String(sql, StandardCharsets.ISO_8859_1));
        if (!matcher.matches()) {
            return null;
        }
        boolean queryOnly = "QUERY".equalsIgnoreCase(matcher.group(1));
        long id = Long.parseLong(matcher.group(2));
        var sessions = runner.loop().sessions();
        if (Sessions.isRouters(id)) {
            return new Kill(runner, queryOnly, id, sessions.find(id));
        }
        var target =
                byServer ? sessions.findOnServer(id, runner.session().client().user()) : null;
        return target == null ? null : new Kill(runner, queryOnly, id, target);
    }

    /** Answers the client that asks. */
    void run() {
        if (target == null) {
            runner.error(ErrorCatalogue.noSuchClient(id));
        } else if (target == runner && queryOnly) {
            runner.error(ErrorCatalogue.interrupted());
        } else if (target == runner) {
            runner.errorAndClose(ErrorCatalogue.interrupted());
        } else {
            var user = runner.session().client().user();
            var victim = target;
            on(victim, () -> strike(victim, user));
        }
    }

    private static void on(SessionRunner runner, Runnable action) {
        runner.loop().eventLoop().execute(() -> runner.guarded(action));
    }

    private void answer(@Nullable ErrPacket error) {
        on(runner, () -> {
            if (error == null) {
                runner.ok();
            } else {
                runner.error(error);
            }
        });
    }

    /** On the target's event loop. */
    private void strike(SessionRunner target, String user) {
        if (target.isGone() || !Sessions.isRouters(id) && !target.backends().hasServerSession(id)) {
            answer(ErrorCatalogue.unknownThread(id));
        } else if (!target.session().client().user().equals(user)) {
            answer(ErrorCatalogue.notOwner(id));
        } else {
            var busy = target.backends().busy();
            if (!queryOnly) {
                // First, as what its servers say from now on is nothing to be tried again.
                target.out().close();
            } else if (busy.isEmpty()) {
                target.endWait(ErrorCatalogue.interrupted());
            }
            endOn(target, busy);
        }
    }

    private void endOn(SessionRunner target, List<SessionBackend> busy) {
        unanswered = busy.size();
        if (busy.isEmpty()) {
            answer(null);
        }
        for (var backend : busy) {
            Interruption.start(
                    target,
                    backend,
                    queryOnly,
                    () -> !queryOnly || target.backends().isBusy(backend),
                    this::ended);
        }
    }

    private void ended(@Nullable ErrPacket error) {
        failure = failure == null ? error : failure;
        if (--unanswered == 0) {
            answer(failure);
        }
    }
}
