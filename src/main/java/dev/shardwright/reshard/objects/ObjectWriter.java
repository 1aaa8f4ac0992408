package dev.shardwright.reshard.objects;

import dev.shardwright.reshard.objects.SchemaObject.Kind;
import dev.shardwright.reshard.objects.SchemaObject.Session;
import dev.shardwright.reshard.table.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes one server's objects those of another, out of the binary log: nobody follows it for anything but rows.
 * Leaves sessions changed, so it wants connections that are closed afterwards.
 */
public final class ObjectWriter {
    /** Views stand on views; more deeply nested ones are taken for impossible. */
    private static final int MOST_ROUNDS = 50;

    private static final Map<Kind, Integer> SHOWN_IN =
            Map.of(Kind.VIEW, 2, Kind.FUNCTION, 3, Kind.PROCEDURE, 3, Kind.TRIGGER, 3, Kind.EVENT, 4);

    private static final Map<Kind, Integer> TURN =
            Map.of(Kind.DATABASE, 0, Kind.FUNCTION, 1, Kind.PROCEDURE, 1, Kind.VIEW, 2, Kind.EVENT, 3, Kind.TRIGGER, 4);

    private final String database;
    private final Map<SchemaObject, String> creations = new LinkedHashMap<>();

    private ObjectWriter(String database) {
        this.database = database;
    }

    /** Reads how these objects, which {@code model} has, are created. */
    public static ObjectWriter of(Connection model, String database, SchemaObjects objects) throws SQLException {
        var writer = new ObjectWriter(database);
        try (var statement = model.createStatement()) {
            // Names in backticks, as every sql_mode reads them.
            statement.execute("SET SESSION sql_mode = 'STRICT_ALL_TABLES'");
            for (var object : objects.all()) {
                writer.creations.put(object, object.kind() == Kind.DATABASE ? "" : writer.shown(statement, object));
            }
        }
        return writer;
    }

    private String shown(java.sql.Statement statement, SchemaObject object) throws SQLException {
        try (var rows = statement.executeQuery(
                "SHOW CREATE " + object.kind() + " " + Sql.name(database) + "." + Sql.name(object.name()))) {
            rows.next();
            var creation = rows.getString(SHOWN_IN.getOrDefault(object.kind(), 3));
            if (creation == null) {
                throw new SQLException(object.title() + " is not shown to this account");
            }
            return creation;
        }
    }

    /**
     * Drops from {@code to} what it should not have, and creates what it lacks; triggers aside.
     *
     * @return what could not be created, each with its name and MySQL's reason; empty when all is as wanted
     */
    public List<String> write(Connection to, SchemaObjects wanted) throws SQLException {
        var there = SchemaObjects.read(to, database);
        var missing = wanted.withoutTriggers().missingIn(there);
        try (var statement = to.createStatement()) {
            enter(statement);
            for (var object : there.withoutTriggers().missingIn(wanted)) {
                if (object.kind() != Kind.DATABASE) {
                    statement.execute("DROP " + object.kind() + " IF EXISTS " + Sql.name(object.name()));
                }
            }
            return new Creation(statement, collation(there.database()), collation(wanted.database())).run(missing);
        }
    }

    /** As {@link #write}, for triggers and nothing else; all are made anew, as the order is in which they were made. */
    public List<String> writeTriggers(Connection to, SchemaObjects wanted) throws SQLException {
        var there = SchemaObjects.read(to, database);
        if (there.triggers().differences(wanted.triggers()).isEmpty()) {
            return List.of();
        }
        try (var statement = to.createStatement()) {
            enter(statement);
            for (var trigger : there.triggers().all()) {
                statement.execute("DROP TRIGGER IF EXISTS " + Sql.name(trigger.name()));
            }
            var collation = collation(there.database());
            return new Creation(statement, collation, collation)
                    .run(new ArrayList<>(wanted.triggers().all()));
        }
    }

    private void enter(java.sql.Statement statement) throws SQLException {
        statement.setEscapeProcessing(false);
        statement.execute("SET SESSION sql_log_bin = 0");
        statement.execute("USE " + Sql.name(database));
    }

    private static String collation(SchemaObject database) {
        return database.attributes().substring(database.attributes().indexOf(' ') + 1);
    }

    private final class Creation {
        private final java.sql.Statement statement;
        private final String wantedCollation;
        private String databaseCollation;

        Creation(java.sql.Statement statement, String databaseCollation, String wantedCollation) {
            this.statement = statement;
            this.databaseCollation = databaseCollation;
            this.wantedCollation = wantedCollation;
        }

        List<String> run(List<SchemaObject> missing) throws SQLException {
            missing.sort(Comparator.<SchemaObject, Integer>comparing(object -> TURN.get(object.kind()))
                    .thenComparing(SchemaObject::order));
            var failures = new LinkedHashMap<SchemaObject, String>();
            try {
                for (int round = 0; !missing.isEmpty() && round < MOST_ROUNDS; round++) {
                    int before = missing.size();
                    failures.clear();
                    for (var object : List.copyOf(missing)) {
                        var failure = create(object);
                        if (failure == null) {
                            missing.remove(object);
                        } else {
                            failures.put(object, failure);
                        }
                    }
                    if (missing.size() == before) {
                        break;
                    }
                }
            } finally {
                collate(wantedCollation);
            }
            return failures.entrySet().stream()
                    .map(failure -> failure.getKey().title() + ": " + failure.getValue())
                    .toList();
        }

        /** Null when it is there; MySQL's reason when it refuses. */
        private @org.jspecify.annotations.Nullable String create(SchemaObject object) throws SQLException {
            try {
                if (object.kind() == Kind.DATABASE) {
                    collate(wantedCollation);
                } else {
                    enter(object.session());
                    statement.execute(creations.get(object));
                }
                return null;
            } catch (SQLException e) {
                if (isAboutTheConnection(e)) {
                    throw e;
                }
                return e.getMessage();
            }
        }

        private void enter(Session session) throws SQLException {
            // A view keeps no sql_mode: its text is MySQL's own.
            statement.execute("SET SESSION sql_mode = " + Sql.text(session.sqlMode()) + ", character_set_client = "
                    + session.charset() + ", collation_connection = " + session.collation()
                    + (session.timeZone().isEmpty() ? "" : ", time_zone = " + Sql.text(session.timeZone())));
            if (!session.databaseCollation().isEmpty()) {
                collate(session.databaseCollation());
            }
        }

        private void collate(String collation) throws SQLException {
            if (!collation.equals(databaseCollation)) {
                statement.execute("ALTER DATABASE " + Sql.name(database) + " COLLATE " + collation);
                databaseCollation = collation;
            }
        }
    }

    private static boolean isAboutTheConnection(SQLException e) {
        return e.getSQLState() == null || e.getSQLState().startsWith("08");
    }
}
