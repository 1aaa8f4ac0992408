package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.session.SessionBackend;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** DROP DATABASE of the session's own database, on a keyspace's only shard: the server session has none after it. */
final class DropDatabase extends DelegatingSubject {
    private static final String GAP = "(?>\\s++|/\\*(?>.*?\\*/)|(?:#|--(?=\\s))[^\\n]*+)";
    private static final Pattern STATEMENT = Pattern.compile(
            GAP + "*+DROP" + GAP + "++(?:DATABASE|SCHEMA)\\b" + GAP + "*+(?:IF" + GAP + "++EXISTS\\b" + GAP + "*+)?"
                    + "(?:`((?:[^`]|``)++)`|\"((?:[^\"]|\"\")++)\"|([\\w$\\x{80}-\\x{ffff}]++))",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final SessionRunner runner;

    private DropDatabase(SessionRunner runner, Subject statement) {
        super(statement);
        this.runner = runner;
    }

    /** The subject itself when it is about something else. */
    static Subject of(SessionRunner runner, Subject ddl) {
        var database = runner.session().database();
        return database != null && database.equals(dropped(ddl.sql())) ? new DropDatabase(runner, ddl) : ddl;
    }

    private static @Nullable String dropped(byte[] sql) {
        var matcher = STATEMENT.matcher(new String(sql, StandardCharsets.UTF_8));
        if (!matcher.lookingAt()) {
            return null;
        }
        if (matcher.group(1) != null) {
            return matcher.group(1).replace("``", "`");
        }
        return matcher.group(2) != null ? matcher.group(2).replace("\"\"", "\"") : matcher.group(3);
    }

    @Override
    public void succeeded(SessionBackend backend, ResponseScanner response, Runnable done) {
        runner.session().use(null);
        backend.hasDatabase(null);
        done.run();
    }
}
