package dev.shardwright.router;

import dev.shardwright.router.RandomStatement.Order;
import java.util.ArrayList;
import java.util.List;

/** Random SELECTs of one table: items, order, LIMIT, aggregates, grouping. Others are in {@link RandomJoins}. */
final class RandomSelects {
    private static final List<String> COLUMNS =
            List.of("n", "price", "body", "note", "ratio", "at", "kind", "bin", "big", "id");

    private final RandomValues values;
    private final RandomConditions conditions;

    RandomSelects(RandomValues values) {
        this.values = values;
        this.conditions = new RandomConditions(values);
    }

    RandomStatement next() {
        var table = values.pick(TwinTable.ALL);
        return switch (values.number(10)) {
            case 0 -> statement("SELECT " + aggregates() + from(table) + where(table, ""), Order.ANY);
            case 1 -> grouped(table);
            case 2 ->
                statement(
                        "SELECT " + values.pick("DISTINCT ", "DISTINCTROW ", "ALL ", "SQL_NO_CACHE ") + items(table, "")
                                + from(table) + where(table, ""),
                        Order.ANY);
            case 3 -> plain(table);
            default -> ordered(table);
        };
    }

    private RandomStatement statement(String sql, Order order) {
        return new RandomStatement(sql, values.parameters(), order);
    }

    private String from(TwinTable table) {
        return values.gap() + "FROM" + values.gap()
                + values.pick(table.name(), "chat." + table.name(), "`" + table.name() + "`");
    }

    private String where(TwinTable table, String prefix) {
        return values.chance(15) ? "" : values.gap() + "WHERE" + values.gap() + conditions.of(table, prefix);
    }

    private RandomStatement plain(TwinTable table) {
        var sql = "SELECT " + items(table, "") + from(table) + where(table, "");
        return values.chance(30) ? statement(sql + " LIMIT " + limit(), Order.ANY_ROWS) : statement(sql, Order.ANY);
    }

    private String limit() {
        var count = values.value((long) values.pick(List.of(0, 1, 2, 3, 5, 10, 1000)));
        return switch (values.number(4)) {
            case 0 -> count + " OFFSET " + values.value((long) values.number(12));
            case 1 -> count + ", " + values.value((long) values.number(12));
            default -> count;
        };
    }

    /** By so much that the rows' order is settled. */
    private RandomStatement ordered(TwinTable table) {
        var alias = values.chance(40) ? "t" : "";
        var prefix = alias.isEmpty() ? "" : values.pick("t.", "");
        var names = new ArrayList<String>();
        var select = "SELECT " + items(table, prefix, names) + from(table)
                + (alias.isEmpty() ? "" : values.pick(" AS t", " t")) + where(table, prefix) + values.gap()
                + "ORDER BY ";
        var keys = new ArrayList<String>();
        for (var i = values.number(3); i > 0; i--) {
            keys.add(sortKey(prefix, names) + values.pick("", " ASC", " DESC", " DESC"));
        }
        var own = alias.isEmpty() ? table.name() + "." : "t.";
        keys.add(own + table.key() + values.pick("", " DESC"));
        keys.add(own + "id" + values.pick("", " DESC"));
        var sql = select + String.join(values.pick(", ", ","), keys);
        return statement(values.chance(40) ? sql + values.gap() + "LIMIT " + limit() : sql, Order.FIXED);
    }

    private String sortKey(String prefix, List<String> names) {
        var column = prefix + values.pick(COLUMNS);
        return switch (values.number(14)) {
            case 0 -> String.valueOf(1 + values.number(4));
            case 1, 2, 3 -> names.isEmpty() ? column : values.pick(names);
            case 4 -> prefix + "n IS NULL";
            case 5 -> "ABS(" + prefix + "n)";
            case 6 -> "-" + prefix + "n";
            case 7 ->
                prefix + values.pick("note", "body") + " COLLATE "
                        + values.pick("utf8mb4_bin", "utf8mb4_0900_as_cs", "utf8mb4_general_ci");
            case 8 -> values.pick("UPPER(", "LENGTH(", "HEX(", "CONCAT('x', ", "COALESCE(") + prefix + "body)";
            case 9 ->
                values.pick(
                        "NULL",
                        "'a'",
                        "n + 1",
                        "2 - 1",
                        "price * n",
                        "n / 3",
                        "ratio / 3",
                        "CAST(n AS CHAR)",
                        "kind + 0",
                        "DATE(at)",
                        "TIME(at)",
                        "CASE n WHEN 1 THEN 'b' ELSE 'a' END",
                        "n = 1 OR n = 2",
                        "RAND(1)",
                        "(n)",
                        "-1");
            default -> column;
        };
    }

    private String items(TwinTable table, String prefix) {
        return items(table, prefix, new ArrayList<>());
    }

    /** @param names gets what ORDER BY can call the items by */
    private String items(TwinTable table, String prefix, List<String> names) {
        if (values.chance(15)) {
            return prefix.isEmpty() ? "*" : values.pick("*", prefix + "*", prefix + "*, " + prefix + "n AS m");
        }
        var items = new ArrayList<String>();
        for (var i = 1 + values.number(4); i > 0; i--) {
            items.add(item(table, prefix, names));
        }
        return String.join(values.pick(", ", ",", values.gap() + ","), items);
    }

    private String item(TwinTable table, String prefix, List<String> names) {
        var column = prefix + values.pick(COLUMNS);
        return switch (values.number(14)) {
            case 0 -> named(column, names);
            case 1 ->
                named(
                        values.pick(
                                "n + 1", "n  +  1", "price * 2", "-n", "ABS( n )", "n=1", "NULL", "1", "'x'", "'n'"),
                        names);
            case 2 ->
                named(
                        values.pick("UPPER(body)", "CONCAT(body, '-', n)", "IFNULL(n, 0)", "LENGTH(body)", "HEX(bin)"),
                        names);
            case 3 ->
                values.pick(
                        "n + 1",
                        "n/*x*/+ 1",
                        "IF(n > 3, 'a', NULL)",
                        "'x'",
                        "1.5",
                        "kind + 0",
                        "n -- c\n",
                        "(body IS NULL)",
                        "COALESCE( body,'' )",
                        "x'41'",
                        "_latin1'q'",
                        "\"z\"",
                        "N'v'",
                        "DATE(at)",
                        "CAST(price AS SIGNED)",
                        "big DIV 2");
            case 4 -> values.value((long) values.number(9));
            case 5, 6 -> prefix + table.key();
            default -> {
                names.add(column);
                yield column;
            }
        };
    }

    private String named(String expression, List<String> names) {
        var name = values.pick("x", "n", "id", "body", "`a b`", "N", "y", "price");
        names.add(name);
        return expression + values.pick(" ", " AS ") + name;
    }

    private String aggregates() {
        var items = new ArrayList<String>();
        for (var i = 1 + values.number(3); i > 0; i--) {
            items.add(aggregate());
        }
        return String.join(", ", items);
    }

    private String aggregate() {
        var column = values.pick("n", "price", "note", "ratio", "at", "kind", "bin", "big", "id");
        return switch (values.number(14)) {
            case 0, 1 ->
                values.pick("COUNT(*)", "COUNT( * ) c", "count(n)", "COUNT(ALL price)", "COUNT(1)", "COUNT(NULL)");
            case 2, 3 -> "SUM(" + values.pick("n", "price", "n + 1", "big", "ratio", "id", "NULL", "n > 3") + ")";
            case 4, 5, 6 -> "MIN(" + column + ")" + values.pick("", " AS x");
            case 7, 8, 9 -> "MAX(" + column + ")";
            case 10 ->
                values.pick(
                        "AVG(n)",
                        "COUNT(DISTINCT n)",
                        "SUM(DISTINCT n)",
                        "STD(id)",
                        "BIT_OR(n)",
                        "GROUP_CONCAT(n ORDER BY n)",
                        "AVG (n)");
            case 11 -> values.pick("SUM(n) + 1", "MAX(n) - MIN(n)", "COUNT(*) > 0", "ABS(SUM(n))");
            case 12 ->
                values.pick(
                        "MAX(n + 1)",
                        "MIN(-n)",
                        "MAX(UPPER(note))",
                        "MIN(n IS NULL)",
                        "MAX(ABS(price))",
                        "MAX(LENGTH(body))",
                        "MIN(DATE(at))",
                        "MAX(TIME(at))",
                        "MAX(NULL)",
                        "MIN('x')",
                        "MAX(n) x");
            default -> values.pick("1", "'x'", "COUNT(*)", "(COUNT(*))");
        };
    }

    private RandomStatement grouped(TwinTable table) {
        var column = values.pick("n", "kind", "id", "note", table.key());
        var having = values.pick("", "", " HAVING COUNT(*) > 1", " HAVING MAX(n) > 3");
        return statement(
                "SELECT " + column + ", " + aggregate() + from(table) + where(table, "") + " GROUP BY "
                        + values.pick(column, "1") + values.pick("", "", "", " WITH ROLLUP") + having,
                Order.ANY);
    }
}
