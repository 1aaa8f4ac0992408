package dev.shardwright.router;

import dev.shardwright.router.RandomStatement.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Random INSERTs, REPLACEs, UPDATEs and DELETEs. */
final class RandomChanges {
    private final RandomValues values;
    private final RandomConditions conditions;

    RandomChanges(RandomValues values) {
        this.values = values;
        this.conditions = new RandomConditions(values);
    }

    RandomStatement next() {
        var table = values.pick(TwinTable.ALL);
        var sql = switch (values.number(10)) {
            case 0, 1, 2, 3, 4 -> insert(table);
            case 5, 6, 7 -> update(table);
            default -> delete(table);
        };
        return new RandomStatement(sql, values.parameters(), Order.ANY);
    }

    private String insert(TwinTable table) {
        var verb = values.pick(
                "INSERT INTO ", "INSERT INTO ", "INSERT IGNORE INTO ", "REPLACE INTO ", "INSERT ", "REPLACE ");
        if (values.chance(12)) {
            var set = verb + table.name() + " SET n = " + values.number(10) + ", " + table.key() + " = " + key(table)
                    + ", id = " + id();
            return verb.startsWith("REPLACE") ? set : set + duplicates(table);
        }
        if (values.chance(5)) {
            var other = values.pick(TwinTable.ALL);
            return verb + table.name() + " (" + table.key() + ", id) SELECT " + other.key() + ", id FROM "
                    + other.name() + " WHERE " + conditions.of(other, "");
        }
        var columns = new ArrayList<>(List.of("id", "n", "price", "body", "note", "at", "kind", "bin", "big", "ratio"));
        Collections.shuffle(columns, new java.util.Random(values.number(1 << 20)));
        var some = new ArrayList<>(columns.subList(0, values.number(5)));
        if (values.chance(96)) {
            some.add(values.number(some.size() + 1), table.key());
        }
        var rows = new ArrayList<String>();
        for (var i = values.chance(70) ? 1 : 1 + values.number(3); i > 0; i--) {
            rows.add(row(table, some));
        }
        var list = values.chance(97) ? " (" + String.join(", ", some) + ")" : "";
        var sql = verb + table.name() + list + values.pick(" VALUES ", " VALUE", " VALUES\n") + String.join(", ", rows);
        return verb.startsWith("REPLACE") ? sql : sql + duplicates(table);
    }

    private String row(TwinTable table, List<String> columns) {
        return "("
                + String.join(
                        ", ",
                        columns.stream()
                                .map(column -> column.equals(table.key()) ? key(table) : column(column))
                                .toList())
                + ")";
    }

    private String key(TwinTable table) {
        return values.chance(3) ? "DEFAULT" : values.keyOf(table);
    }

    private String id() {
        return values.value((long) values.number(3));
    }

    private String column(String name) {
        if (values.chance(8)) {
            return values.pick("NULL", "DEFAULT");
        }
        return switch (name) {
            case "id" -> id();
            case "n" ->
                values.chance(30) ? values.pick("1 + 1", "NULL", "n + 1") : values.value((long) values.number(10));
            case "price" -> values.pick("1.25", "-3", "'7.5'", "19.99", "0", "1e1");
            case "body", "note" -> word();
            case "at" ->
                values.pick("'2020-01-02 03:04:05.678'", "'2020-07-01'", "'2019-12-31 23:59:59'", "'nonsense'");
            case "kind" -> values.pick("'a'", "'b'", "'c'", "2", "'z'");
            case "bin" -> values.pick("'a'", "x'00ff'", "'B'", "''", "'b '");
            case "big" -> values.pick("18446744073709551615", "0", "1", "9223372036854775808");
            default -> values.pick("0.25", "-1.5", "1e10", "-0.0", "0");
        };
    }

    private String word() {
        return values.value(values.pick(
                List.<Object>of("a", "A", "b", "zz", "É", "e", "", "it's", "back\\slash", "tab\t", "漢", "a\tb")));
    }

    private String duplicates(TwinTable table) {
        return values.chance(70)
                ? ""
                : " ON DUPLICATE KEY UPDATE "
                        + values.pick(
                                "n = 3",
                                "n = n + 1",
                                "body = VALUES(body)",
                                "n = n",
                                table.key() + " = 5",
                                "id = id + 10",
                                "n = VALUES(n) + 1");
    }

    private String update(TwinTable table) {
        if (values.chance(10)) {
            return joined(table);
        }
        var set = values.pick(
                "n = n + 1",
                "n = 4",
                "body = " + values.literal("a\\b"),
                "price = price * 2",
                "n = NULL",
                "note = body",
                "kind = 'c', n = n + 1",
                "id = id + 100",
                "ratio = n / 2",
                "body = CONCAT(body, 'x')",
                "n = (SELECT MAX(n) FROM settings)",
                table.key() + " = " + values.literal(values.pick(table.keys())));
        return "UPDATE " + values.pick("", "", "IGNORE ") + table.name() + values.gap() + "SET " + set + chosen(table);
    }

    private String chosen(TwinTable table) {
        var where = values.chance(5) ? "" : " WHERE " + conditions.of(table, "");
        return where + (values.chance(20) ? " ORDER BY " + table.key() + ", id DESC LIMIT " + values.number(3) : "");
    }

    private String joined(TwinTable a) {
        var b = a.name().equals("messages") ? TwinTable.ALL.get(1) : TwinTable.ALL.get(0);
        var on = " a JOIN " + b.name() + " b ON a." + a.key() + " = b." + b.key();
        return values.pick("UPDATE " + a.name() + on + " SET a.n = a.n + 1", "DELETE a FROM " + a.name() + on)
                + " WHERE " + conditions.of(a, "a.");
    }

    private String delete(TwinTable table) {
        return "DELETE" + values.pick(" ", " ", " IGNORE ", " QUICK ") + "FROM " + table.name() + chosen(table);
    }
}
