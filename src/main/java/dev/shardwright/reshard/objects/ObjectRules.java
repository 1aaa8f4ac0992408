package dev.shardwright.reshard.objects;

import dev.shardwright.api.VSchema;
import dev.shardwright.reshard.table.Placement;
import dev.shardwright.topology.keyrange.KeyRange;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which objects would not mean the same once the rows that they touch are on several shards. Found by the names
 * in their text, so some are refused for a column that is called like a sharded table.
 */
public final class ObjectRules {
    private static final Set<String> UNICODE = Set.of("", "utf8mb4", "utf8mb3");
    private static final String LATER = "; drop it first, and keep it in the application";

    private final VSchema vschema;
    private final Set<String> unlisted;
    private final Map<String, Set<String>> tablesOfViews;
    private final List<String> problems = new ArrayList<>();

    /** {@code unlisted}: tables, views and routines that are on the first shard only, or touch what is. */
    private ObjectRules(VSchema vschema, Set<String> unlisted, Map<String, Set<String>> tablesOfViews) {
        this.vschema = vschema;
        this.unlisted = unlisted;
        this.tablesOfViews = tablesOfViews;
    }

    /** What of a source can't be moved, each with its name and why; empty when all can. */
    public static List<String> problems(Connection source, String keyspace, KeyRange range, VSchema vschema)
            throws SQLException {
        var objects = SchemaObjects.read(source, keyspace);
        var rules = new ObjectRules(
                vschema,
                objects.hasTriggers() ? unlisted(source, keyspace, vschema, objects) : Set.of(),
                tablesOfViews(source, keyspace));
        objects.all().forEach(rules::check);
        if (!range.startsAtMinimum()) {
            objects.differences(objects.placed(range, vschema)).stream()
                    .map(difference -> difference.replaceFirst(" is missing$", ""))
                    .forEach(title -> rules.problems.add(
                            title + " may touch tables that live on the first shard, and is on another one; drop it"));
        }
        return List.copyOf(rules.problems);
    }

    private static Set<String> unlisted(Connection source, String keyspace, VSchema vschema, SchemaObjects objects)
            throws SQLException {
        var names = new TreeSet<String>();
        try (var statement =
                source.prepareStatement("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?")) {
            statement.setString(1, keyspace);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (Placement.primaryVindex(vschema, rows.getString(1)).isEmpty()) {
                        names.add(rows.getString(1));
                    }
                }
            }
        }
        var routines = new HashSet<>(objects.of(SchemaObject.Kind::isRoutine));
        routines.removeAll(Code.routinesWithoutTables(objects.all()));
        routines.forEach(routine -> names.add(routine.name()));
        return names;
    }

    private static Map<String, Set<String>> tablesOfViews(Connection source, String keyspace) throws SQLException {
        try (var statement = source.prepareStatement(
                "SELECT VIEW_NAME, TABLE_NAME FROM information_schema.VIEW_TABLE_USAGE WHERE VIEW_SCHEMA = ? AND TABLE_SCHEMA = ?")) {
            statement.setString(1, keyspace);
            statement.setString(2, keyspace);
            try (var rows = statement.executeQuery()) {
                var tables = new HashMap<String, Set<String>>();
                while (rows.next()) {
                    tables.computeIfAbsent(rows.getString(1), unused -> new HashSet<>())
                            .add(rows.getString(2).toLowerCase(Locale.ROOT));
                }
                return tables;
            }
        }
    }

    private void check(SchemaObject object) {
        if (!UNICODE.contains(object.session().charset()) && !object.isAscii()) {
            problems.add(object.title() + " was made in a session with character set "
                    + object.session().charset()
                    + " and has other than ASCII characters; make it again in one with utf8mb4");
        }
        switch (object.kind()) {
            case DATABASE -> {}
            case FUNCTION, PROCEDURE, EVENT -> touches(object, Code.words(object.definition()));
            case VIEW -> touches(object, tablesOfViews.getOrDefault(object.name(), Set.of()));
            case TRIGGER -> trigger(object);
        }
    }

    /** It acts on the shard of the row that fires it. */
    private void trigger(SchemaObject trigger) {
        var words = Code.words(trigger.definition());
        var key = Placement.primaryVindex(vschema, trigger.table());
        if (key.isEmpty()) {
            touches(trigger, words);
            return;
        }
        sharded(words)
                .filter(table -> !Placement.primaryVindex(vschema, table).equals(key))
                .findFirst()
                .ifPresent(table -> problems.add(trigger.title() + " names table " + table
                        + ", whose rows may be on another shard: it is not sharded by the same column" + LATER));
        unlisted.stream()
                .filter(table -> words.contains(table.toLowerCase(Locale.ROOT)))
                .findFirst()
                .ifPresent(table -> problems.add(
                        trigger.title() + " names " + table + ", which is on the first shard only" + LATER));
        key.get().columns().stream()
                .filter(column -> Code.assigns(trigger.definition(), column.name()))
                .findFirst()
                .ifPresent(column -> problems.add(trigger.title() + " sets the shard key " + column.name()
                        + ", after its shard has been chosen" + LATER));
    }

    /** It is asked on the first shard only, or on the one of its statement, and would see only that one's rows. */
    private void touches(SchemaObject object, Set<String> names) {
        sharded(names)
                .findFirst()
                .ifPresent(table -> problems.add(object.title() + " names the sharded table " + table
                        + ", of which it would see one shard's rows only" + LATER));
    }

    private Stream<String> sharded(Set<String> names) {
        return vschema.tables().stream()
                .map(VSchema.TableSpec::name)
                .filter(table -> Placement.primaryVindex(vschema, table).isPresent())
                .filter(table -> names.contains(table.toLowerCase(Locale.ROOT)));
    }
}
