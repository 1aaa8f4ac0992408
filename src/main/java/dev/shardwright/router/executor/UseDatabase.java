package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.router.protocol.ErrorCatalogue;
import dev.shardwright.router.session.SessionBackend;
import java.util.Locale;
import java.util.Set;

/** USE and COM_INIT_DB. The keyspace is a database on every shard; a keyspace of one shard may have others. */
final class UseDatabase {
    private static final Set<String> EVERYWHERE = Set.of("information_schema", "performance_schema", "sys", "mysql");

    private UseDatabase() {}

    static boolean isKnown(String keyspace, String database) {
        return database.equals(keyspace) || EVERYWHERE.contains(database.toLowerCase(Locale.ROOT));
    }

    static void run(SessionRunner runner, String database) {
        var view = runner.loop().view();
        if (isKnown(runner.loop().settings().keyspace(), database)) {
            runner.session().use(database);
            runner.okInDatabase();
        } else if (view != null && view.shards().size() == 1) {
            runner.run(new ForwardRun(runner, new UseSubject(runner, database)));
        } else {
            runner.error(ErrorCatalogue.unknownDatabase(database));
        }
    }

    /** The server knows whether there is such a database. */
    private static final class UseSubject extends DelegatingSubject {
        private final SessionRunner runner;
        private final String database;

        UseSubject(SessionRunner runner, String database) {
            super(new PlainSubject(runner, ResponseScanner.Kind.RESULT));
            this.runner = runner;
            this.database = database;
        }

        @Override
        public void succeeded(SessionBackend backend, ResponseScanner response, Runnable done) {
            runner.session().use(database);
            backend.hasDatabase(database);
            done.run();
        }
    }
}
