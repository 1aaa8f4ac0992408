package dev.shardwright.router;

import java.util.List;

/** Random WHERE clauses: about the shard key, and about anything else. */
final class RandomConditions {
    private final RandomValues values;

    RandomConditions(RandomValues values) {
        this.values = values;
    }

    /** @param prefix of its columns: an alias with its point, or nothing */
    String of(TwinTable table, String prefix) {
        return switch (values.number(12)) {
            case 0 -> other(prefix);
            case 1 -> key(table, prefix) + " AND " + other(prefix);
            case 2 -> other(prefix) + " AND" + values.gap() + key(table, prefix);
            case 3 -> "(" + key(table, prefix) + ") AND (" + other(prefix) + ")";
            case 4 -> key(table, prefix) + values.pick(" OR ", " || ", " XOR ", " && ", " AND ") + key(table, prefix);
            case 5 -> key(table, prefix) + values.pick(" OR ", " XOR ", " || ") + other(prefix);
            case 6 -> values.pick("NOT (", "! (", "(NOT ", "(") + key(table, prefix) + ")";
            case 7 -> key(table, prefix) + values.pick(" IS TRUE", " IS NOT TRUE", " IS FALSE", " = 1", " IS UNKNOWN");
            default -> key(table, prefix);
        };
    }

    private String key(TwinTable table, String prefix) {
        var key = prefix + table.key();
        return switch (values.number(22)) {
            case 0 -> key + " IN (" + values.keyOf(table) + ", " + values.keyOf(table) + ")";
            case 1 -> key + " IN" + values.gap() + "(" + values.keyOf(table) + ")";
            case 2 -> key + " NOT IN (" + values.keyOf(table) + ", " + values.keyOf(table) + ")";
            case 3 -> key + " BETWEEN " + values.keyOf(table) + " AND " + values.keyOf(table);
            case 4 -> key + values.pick(" < ", " > ", " <> ", " >= ", " != ") + values.keyOf(table);
            case 5 -> key + values.pick(" IS NULL", " IS NOT NULL");
            case 6 -> key + " <=> " + values.keyOf(table);
            case 7 -> values.keyOf(table) + " = " + key;
            case 8 -> "(" + key + ", " + prefix + "id) = (" + values.keyOf(table) + ", " + values.number(3) + ")";
            case 9 -> key + values.pick(" LIKE ", " NOT LIKE ") + values.keyOf(table);
            case 10 -> "(" + key + ") = (" + values.keyOf(table) + ")";
            case 11 ->
                key + " IN (" + values.plainKey(table) + ", " + values.plainKey(table) + ", " + values.plainKey(table)
                        + ")";
            case 12 -> key + values.pick(" + 0 = ", " COLLATE utf8mb4_general_ci = ", " = - ") + values.keyOf(table);
            default -> key + values.pick(" = ", "=", " =" + values.gap()) + values.keyOf(table);
        };
    }

    String other(String prefix) {
        return switch (values.number(9)) {
            case 0 -> prefix + "n > " + values.value((long) values.number(10));
            case 1 -> prefix + "body LIKE " + values.value(values.pick(List.<Object>of("a%", "%b%", "_", "%")));
            case 2 -> prefix + "n IS NULL";
            case 3 -> prefix + "price BETWEEN 1.5 AND " + values.value((long) values.number(20));
            case 4 -> prefix + "kind IN ('a', 'b')";
            case 5 -> prefix + "id = " + values.value((long) values.number(3));
            case 6 -> prefix + "body = " + values.value(values.pick(List.<Object>of("a", "A", "b ", "zz")));
            case 7 -> "NOT " + prefix + "n = " + values.number(10);
            default -> prefix + "at < '2020-06-01'";
        };
    }
}
