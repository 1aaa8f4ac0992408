package dev.shardwright.reshard.objects;

import dev.shardwright.api.VSchema;
import dev.shardwright.reshard.objects.SchemaObject.Kind;
import dev.shardwright.reshard.objects.SchemaObject.Session;
import dev.shardwright.reshard.table.Placement;
import dev.shardwright.topology.keyrange.KeyRange;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** All of a database's objects on one server. Immutable. */
public final class SchemaObjects {
    private static final String SESSION =
            "SQL_MODE, '', CHARACTER_SET_CLIENT, COLLATION_CONNECTION, DATABASE_COLLATION";

    /** One round trip, however many objects there are. */
    private static final String ALL =
            "SELECT 'DATABASE', SCHEMA_NAME, '', 0, '', CONCAT(DEFAULT_CHARACTER_SET_NAME, ' ', DEFAULT_COLLATION_NAME),"
                    + " '', '', '', '', '' FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = ?"
                    + " UNION ALL SELECT 'VIEW', TABLE_NAME, '', 0, VIEW_DEFINITION, CONCAT_WS('|', CHECK_OPTION, DEFINER, SECURITY_TYPE),"
                    + " '', '', CHARACTER_SET_CLIENT, COLLATION_CONNECTION, '' FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ?"
                    + " UNION ALL SELECT ROUTINE_TYPE, ROUTINE_NAME, '', 0, ROUTINE_DEFINITION, CONCAT_WS('|', DTD_IDENTIFIER,"
                    + " CHARACTER_SET_NAME, COLLATION_NAME, IS_DETERMINISTIC, SQL_DATA_ACCESS, SECURITY_TYPE, DEFINER, ROUTINE_COMMENT), "
                    + SESSION + " FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ?"
                    + " UNION ALL SELECT ROUTINE_TYPE, SPECIFIC_NAME, 'PARAMETER', 0, '', CONCAT_WS('|', LPAD(ORDINAL_POSITION, 5, '0'),"
                    + " PARAMETER_MODE, PARAMETER_NAME, DTD_IDENTIFIER, CHARACTER_SET_NAME, COLLATION_NAME), '', '', '', '', ''"
                    + " FROM information_schema.PARAMETERS WHERE SPECIFIC_SCHEMA = ?"
                    + " UNION ALL SELECT 'EVENT', EVENT_NAME, '', 0, EVENT_DEFINITION, CONCAT_WS('|', DEFINER, EVENT_TYPE,"
                    + " COALESCE(EXECUTE_AT, '-'), COALESCE(INTERVAL_VALUE, '-'), COALESCE(INTERVAL_FIELD, '-'), COALESCE(STARTS, '-'),"
                    + " COALESCE(ENDS, '-'), STATUS, ON_COMPLETION, EVENT_COMMENT),"
                    + " SQL_MODE, TIME_ZONE, CHARACTER_SET_CLIENT, COLLATION_CONNECTION, DATABASE_COLLATION"
                    + " FROM information_schema.EVENTS WHERE EVENT_SCHEMA = ?"
                    + " UNION ALL SELECT 'TRIGGER', TRIGGER_NAME, EVENT_OBJECT_TABLE, ACTION_ORDER, ACTION_STATEMENT,"
                    + " CONCAT_WS('|', ACTION_TIMING, EVENT_MANIPULATION, DEFINER), " + SESSION
                    + " FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ?";

    private final List<SchemaObject> objects;

    private SchemaObjects(List<SchemaObject> objects) {
        this.objects = List.copyOf(objects);
    }

    /** As an account that may see all of them (SHOW_ROUTINE, and ALL on the database). */
    public static SchemaObjects read(Connection connection, String database) throws SQLException {
        var objects = new ArrayList<SchemaObject>();
        var parameters = new HashMap<String, StringBuilder>();
        try (var statement = connection.prepareStatement(ALL)) {
            for (int i = 1; i <= ALL.chars().filter(c -> c == '?').count(); i++) {
                statement.setString(i, database);
            }
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (rows.getString(3).equals("PARAMETER")) {
                        parameters
                                .computeIfAbsent(rows.getString(1) + rows.getString(2), unused -> new StringBuilder())
                                .append('|')
                                .append(rows.getString(6));
                    } else {
                        objects.add(object(rows));
                    }
                }
            }
        }
        return new SchemaObjects(objects.stream()
                .map(object ->
                        withParameters(object, parameters.get(object.kind().name() + object.name())))
                .toList());
    }

    private static SchemaObject object(ResultSet row) throws SQLException {
        return new SchemaObject(
                Kind.valueOf(row.getString(1)),
                row.getString(2),
                row.getString(3),
                row.getInt(4),
                text(row, 5),
                text(row, 6),
                new Session(text(row, 7), text(row, 8), text(row, 9), text(row, 10), text(row, 11)));
    }

    private static String text(ResultSet row, int column) throws SQLException {
        var text = row.getString(column);
        return text == null ? "" : text;
    }

    private static SchemaObject withParameters(
            SchemaObject object, @org.jspecify.annotations.Nullable StringBuilder parameters) {
        return parameters == null
                ? object
                : new SchemaObject(
                        object.kind(),
                        object.name(),
                        object.table(),
                        object.order(),
                        object.definition(),
                        object.attributes() + parameters,
                        object.session());
    }

    List<SchemaObject> all() {
        return objects;
    }

    List<SchemaObject> of(Predicate<Kind> kinds) {
        return objects.stream().filter(object -> kinds.test(object.kind())).toList();
    }

    SchemaObject database() {
        return of(kind -> kind == Kind.DATABASE).getFirst();
    }

    /** Whether triggers are among them. */
    public boolean hasTriggers() {
        return objects.stream().anyMatch(object -> object.kind() == Kind.TRIGGER);
    }

    /**
     * Those that a shard of this range has, given all. Code that may touch unlisted tables is where these are, on the
     * first shard: elsewhere it would find them empty. So there it is missed, and not wrong.
     */
    public SchemaObjects placed(KeyRange range, VSchema vschema) {
        if (range.startsAtMinimum()) {
            return this;
        }
        var free = Code.routinesWithoutTables(objects);
        return new SchemaObjects(objects.stream()
                .filter(object -> switch (object.kind()) {
                    case DATABASE -> true;
                    case FUNCTION, PROCEDURE -> free.contains(object);
                    case VIEW, EVENT -> false;
                    case TRIGGER ->
                        Placement.primaryVindex(vschema, object.table()).isPresent();
                })
                .toList());
    }

    /** Those of these that the other has not, or has otherwise. */
    List<SchemaObject> missingIn(SchemaObjects other) {
        var missing = new LinkedHashSet<>(objects);
        other.objects.forEach(missing::remove);
        return new ArrayList<>(missing);
    }

    /** These without their triggers. */
    public SchemaObjects withoutTriggers() {
        return new SchemaObjects(of(kind -> kind != Kind.TRIGGER));
    }

    /** Only the triggers of these. */
    public SchemaObjects triggers() {
        return new SchemaObjects(of(kind -> kind == Kind.TRIGGER));
    }

    /** What another server has otherwise than this, each with kind and name; empty when nothing. */
    public List<String> differences(SchemaObjects other) {
        var theirs = other.byTitle();
        var differences = new ArrayList<String>();
        byTitle().forEach((title, object) -> {
            var its = theirs.remove(title);
            if (its == null) {
                differences.add(title + " is missing");
            } else if (!its.equals(object)) {
                differences.add(title + " is not the same");
            }
        });
        theirs.keySet().forEach(title -> differences.add(title + " is too many"));
        return differences;
    }

    Map<String, SchemaObject> byTitle() {
        var map = new TreeMap<String, SchemaObject>();
        objects.forEach(object -> map.put(object.title(), object));
        return map;
    }
}
