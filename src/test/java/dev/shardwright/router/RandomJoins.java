package dev.shardwright.router;

import dev.shardwright.router.RandomStatement.Order;

/** Random SELECTs of several tables: joins, subqueries, unions, common table expressions; and some of none. */
final class RandomJoins {
    private final RandomValues values;
    private final RandomConditions conditions;

    RandomJoins(RandomValues values) {
        this.values = values;
        this.conditions = new RandomConditions(values);
    }

    RandomStatement next() {
        var sql = switch (values.number(10)) {
            case 0, 1, 2, 3 -> join();
            case 4, 5 -> correlated();
            case 6 -> subquery();
            case 7 -> union();
            case 8 -> derived();
            default -> tableless();
        };
        return new RandomStatement(sql, values.parameters(), Order.ANY);
    }

    /** Two tables that are likely to share their keys. */
    private TwinTable partner(TwinTable of) {
        return values.chance(70)
                ? (of.name().equals("messages") ? TwinTable.ALL.get(1) : TwinTable.ALL.get(0))
                : values.pick(TwinTable.ALL);
    }

    private TwinTable first() {
        return values.chance(70) ? TwinTable.ALL.get(values.number(2)) : values.pick(TwinTable.ALL);
    }

    private String join() {
        var a = first();
        var b = partner(a);
        var where = values.chance(55) ? " WHERE " + conditions.of(values.chance(50) ? a : b, "") : "";
        var kind = values.pick(
                " JOIN ",
                " INNER JOIN ",
                " LEFT JOIN ",
                " RIGHT JOIN ",
                " STRAIGHT_JOIN ",
                " LEFT OUTER JOIN ",
                " CROSS JOIN ");
        return switch (values.number(8)) {
            case 0 ->
                "SELECT a.id, b.n FROM " + a.name() + " a" + kind + b.name() + " b USING (" + a.key() + ")"
                        + qualified(a, b);
            case 1 ->
                "SELECT COUNT(*) FROM " + a.name() + " NATURAL" + values.pick(" ", " LEFT ") + "JOIN " + b.name()
                        + where;
            case 2 ->
                "SELECT a.body, b.id FROM " + a.name() + " a, " + b.name() + " b WHERE " + on(a, b, "a", "b")
                        + and(a, b);
            case 3 ->
                "SELECT COUNT(*), SUM(a.n) FROM " + a.name() + " a" + kind + b.name() + " b ON " + on(a, b, "a", "b")
                        + qualified(a, b);
            case 4 -> three(a, b, kind);
            default ->
                "SELECT a.id, a." + a.key() + ", b." + b.key() + ", b.body FROM " + a.name() + " a" + kind + b.name()
                        + " b ON " + on(a, b, "a", "b") + qualified(a, b) + order(a, b);
        };
    }

    private String order(TwinTable a, TwinTable b) {
        return values.pick("", " ORDER BY a." + a.key() + ", a.id, b." + b.key() + ", b.id");
    }

    private String three(TwinTable a, TwinTable b, String kind) {
        var c = first();
        return "SELECT a.id, b.id, c.id, a." + a.key() + " FROM " + a.name() + " a" + kind
                + (values.chance(50) ? chained(a, b, c) : nested(a, b, c)) + qualified(a, b);
    }

    private String chained(TwinTable a, TwinTable b, TwinTable c) {
        return b.name() + " b ON " + on(a, b, "a", "b") + values.pick(" JOIN ", " LEFT JOIN ", " RIGHT JOIN ")
                + c.name() + " c ON " + (values.chance(50) ? on(b, c, "b", "c") : on(a, c, "a", "c"));
    }

    private String nested(TwinTable a, TwinTable b, TwinTable c) {
        return "(" + b.name() + " b" + values.pick(" JOIN ", " LEFT JOIN ") + c.name() + " c ON " + on(b, c, "b", "c")
                + ") ON " + on(a, b, "a", "b");
    }

    private String on(TwinTable a, TwinTable b, String one, String other) {
        var keys = one + "." + a.key() + " = " + other + "." + b.key();
        return switch (values.number(9)) {
            case 0 -> keys + " AND " + conditions.of(a, one + ".");
            case 1 -> keys + " AND " + conditions.of(b, other + ".");
            case 2 -> one + ".id = " + other + ".id";
            case 3 ->
                one + ".n = " + other + ".n AND " + conditions.of(a, one + ".") + " AND "
                        + conditions.of(b, other + ".");
            case 4 -> keys + " AND " + one + ".id = " + other + ".id";
            case 5 -> keys + values.pick(" OR ", " XOR ") + conditions.other(one + ".");
            case 6 -> conditions.of(a, one + ".") + " AND " + conditions.of(b, other + ".");
            default -> keys;
        };
    }

    private String qualified(TwinTable a, TwinTable b) {
        return values.chance(55) ? " WHERE TRUE" + and(a, b) : "";
    }

    private String and(TwinTable a, TwinTable b) {
        return switch (values.number(4)) {
            case 0 -> " AND " + conditions.of(a, "a.");
            case 1 -> " AND " + conditions.of(b, "b.");
            case 2 -> " AND " + conditions.of(a, "a.") + " AND " + conditions.of(b, "b.");
            default -> "";
        };
    }

    private String correlated() {
        var a = first();
        var b = partner(a);
        var inner = on(a, b, "a", "b");
        var where = values.chance(40) ? conditions.of(a, "a.") : "TRUE";
        return switch (values.number(6)) {
            case 0 ->
                "SELECT a.id, (SELECT " + values.pick("COUNT(*)", "MAX(b.n)", "SUM(a.n)", "COUNT(a.id)", "MAX(n)")
                        + " FROM " + b.name() + " b WHERE " + inner + ") c FROM " + a.name() + " a WHERE " + where;
            case 1 ->
                "SELECT "
                        + values.pick(
                                "(SELECT SUM(a.n))",
                                "(SELECT COUNT(a.id) FROM settings)",
                                "(SELECT MAX(a.n) FROM (SELECT 1) d)")
                        + " FROM " + a.name() + " a WHERE " + where;
            case 2 ->
                "SELECT COUNT(*) FROM " + a.name() + " a WHERE " + where + " AND " + values.pick("", "NOT ")
                        + "EXISTS (SELECT 1 FROM " + b.name() + " b WHERE " + inner + ")";
            case 3 ->
                "SELECT a.id FROM " + a.name() + " a WHERE a.n >= ALL (SELECT b.n FROM " + b.name() + " b WHERE "
                        + inner + ") AND " + where;
            default ->
                "SELECT a.id, a." + a.key() + " FROM " + a.name() + " a WHERE " + values.pick("", "NOT ")
                        + "EXISTS (SELECT * FROM " + b.name() + " b WHERE " + inner + ") AND " + where;
        };
    }

    private String subquery() {
        var a = first();
        var b = partner(a);
        var where = values.chance(60) ? " WHERE " + conditions.of(b, "") : "";
        return switch (values.number(4)) {
            case 0 ->
                "SELECT id, n FROM " + a.name() + " WHERE " + a.key() + values.pick(" IN ", " NOT IN ") + "(SELECT "
                        + b.key() + " FROM " + b.name() + where + ")";
            case 1 ->
                "SELECT id FROM " + a.name() + " a WHERE " + conditions.of(a, "a.") + " AND a.n IN (SELECT n FROM "
                        + b.name() + where + ")";
            case 2 -> "SELECT (SELECT COUNT(*) FROM " + a.name() + " WHERE " + conditions.of(a, "") + ") c";
            default -> "SELECT id FROM " + a.name() + " WHERE n = (SELECT MAX(n) FROM " + b.name() + where + ")";
        };
    }

    private String union() {
        var a = first();
        var b = partner(a);
        return "SELECT id, n FROM " + a.name() + " WHERE " + conditions.of(a, "")
                + values.pick(" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT ")
                + (values.chance(40)
                        ? "SELECT 1, 2"
                        : "SELECT id, n FROM " + b.name() + " WHERE " + conditions.of(b, ""));
    }

    private String derived() {
        var a = first();
        var b = partner(a);
        return switch (values.number(3)) {
            case 0 ->
                "WITH c AS (SELECT * FROM " + a.name() + " WHERE " + conditions.of(a, "") + ") SELECT id, body FROM c";
            case 1 ->
                "SELECT d.id, b.n FROM (SELECT * FROM " + a.name() + " WHERE " + conditions.of(a, "") + ") d JOIN "
                        + b.name() + " b ON d." + a.key() + " = b." + b.key() + " AND " + conditions.of(b, "b.");
            default -> "SELECT COUNT(*) FROM (SELECT id FROM " + a.name() + " WHERE " + conditions.of(a, "") + ") d";
        };
    }

    private String tableless() {
        return switch (values.number(5)) {
            case 0 -> "SELECT " + values.value("a\\b") + ", " + values.value(5L) + ", @@sql_mode";
            case 1 -> "SELECT " + values.literal("it's") + " AS x UNION SELECT 'b'";
            case 2 -> "TABLE " + values.pick(TwinTable.ALL).name() + values.pick("", " ORDER BY id LIMIT 0");
            case 3 -> "VALUES ROW(1, 'a'), ROW(2, " + values.value("b") + ")";
            default -> "SELECT 'a' || 'b', 'x' 'y', @key, " + values.text("a\\%b");
        };
    }
}
