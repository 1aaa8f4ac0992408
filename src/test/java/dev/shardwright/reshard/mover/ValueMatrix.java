package dev.shardwright.reshard.mover;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Tables with a column for each type that MySQL has, and rows of values at the types' edges. Each row's id says which values it has. */
final class ValueMatrix {
    /** Ids of one set of rows; the next set's are so much higher. */
    static final int SET = 1000;

    private static final int FRACTIONS = 6;

    /**
     * One column.
     *
     * @param type what follows its name in CREATE TABLE
     * @param values expressions that the type stores as they are
     */
    private record Kind(String type, List<String> values) {
        Kind(String type, String... values) {
            this(type, List.of(values));
        }
    }

    /** A table and its columns, which are named c0, c1 and so on. */
    record Shape(String table, List<Kind> kinds) {
        int rows() {
            return kinds.stream().mapToInt(kind -> kind.values.size()).max().orElseThrow();
        }

        private List<String> names() {
            return IntStream.range(0, kinds.size()).mapToObj(i -> "c" + i).toList();
        }

        String creation(String key) {
            var columns = IntStream.range(0, kinds.size())
                    .mapToObj(i -> "c" + i + " " + kinds.get(i).type)
                    .collect(Collectors.joining(", "));
            return "CREATE TABLE " + table + " (id BIGINT NOT NULL AUTO_INCREMENT, " + key + " (id), " + columns + ")";
        }

        /** Sent in pieces, as a set's rows with all their expressions are large. */
        private void insert(Connection connection, int from) throws SQLException {
            try (var statement = connection.createStatement()) {
                for (int row = 0; row < rows(); row++) {
                    var at = row;
                    statement.execute("INSERT INTO " + table + " (id, " + String.join(", ", names()) + ") VALUES ("
                            + (from + row) + ", "
                            + kinds.stream()
                                    .map(kind -> kind.values.get(at % kind.values.size()))
                                    .collect(Collectors.joining(", "))
                            + ")");
                }
                // Defaults, also those that are not NULL.
                statement.execute("INSERT INTO " + table + " (id) VALUES (" + (from + rows()) + ")");
                statement.execute("INSERT INTO " + table + " (id, " + String.join(", ", names()) + ") VALUES ("
                        + (from + rows() + 1) + ", NULL" + ", NULL".repeat(kinds.size() - 1) + ")");
            }
        }

        /** Each row takes the values of the next one of the first set, the last one those of the first. */
        private String rotation(int from) {
            var sets =
                    names().stream().map(name -> "a." + name + " = b." + name).collect(Collectors.joining(", "));
            return "UPDATE " + table + " a JOIN " + table + " b ON b.id = (a.id - " + from + " + 1) % " + (rows() + 2)
                    + " SET " + sets + " WHERE a.id >= " + from + " AND a.id < " + (from + SET);
        }
    }

    private final List<Shape> shapes;

    /** @param connection to any of the servers: they know the character sets */
    ValueMatrix(Connection connection) throws SQLException {
        this.shapes = List.of(
                // This name is sharded by id in the fixture's vschema.
                new Shape("kinds", numbers()),
                new Shape("moments", moments()),
                new Shape("characters", characters(charsets(connection))),
                new Shape("things", things()));
    }

    List<Shape> shapes() {
        return shapes;
    }

    String[] creations() {
        return creations("PRIMARY KEY");
    }

    /** Their ids are in an index of this kind. */
    String[] creations(String key) {
        return shapes.stream().map(shape -> shape.creation(key)).toArray(String[]::new);
    }

    String[] tables() {
        return shapes.stream().map(Shape::table).toArray(String[]::new);
    }

    /** One set of all rows. */
    void insert(Connection connection, int from) throws SQLException {
        for (var shape : shapes) {
            mode(connection, "STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES");
            shape.insert(connection, from);
        }
        // What a statement in strict mode can't store, but a column can hold: the error value of an ENUM.
        mode(connection, "");
        try (var statement = connection.createStatement()) {
            statement.execute("UPDATE things SET c0 = 0, c2 = 'none of them' WHERE id IN (" + (from + 1) + ", "
                    + (from + 4) + ")");
        }
    }

    /** Changes each value of a set to another of the first set's, which must be as inserted. */
    void rotate(Connection connection, int from) throws SQLException {
        mode(connection, "ALLOW_INVALID_DATES");
        try (var statement = connection.createStatement()) {
            for (var shape : shapes) {
                statement.execute(shape.rotation(from));
            }
        }
    }

    private static void mode(Connection connection, String mode) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("SET SESSION sql_mode = '" + mode + "', time_zone = '+00:00'");
        }
    }

    private static List<String> charsets(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT CHARACTER_SET_NAME FROM information_schema.CHARACTER_SETS"
                        + " WHERE CHARACTER_SET_NAME <> 'binary' ORDER BY 1")) {
            var names = new ArrayList<String>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        }
    }

    private static List<Kind> numbers() {
        var kinds = new ArrayList<>(List.of(
                new Kind("TINYINT", "-128", "127", "0", "-1"),
                new Kind("TINYINT UNSIGNED", "0", "255", "128"),
                new Kind("SMALLINT", "-32768", "32767", "0", "-1"),
                new Kind("SMALLINT UNSIGNED", "0", "65535", "32768"),
                new Kind("MEDIUMINT", "-8388608", "8388607", "0", "-1"),
                new Kind("MEDIUMINT UNSIGNED", "0", "16777215", "8388608"),
                new Kind("INT", "-2147483648", "2147483647", "0", "-1"),
                new Kind("INT UNSIGNED", "0", "4294967295", "2147483648"),
                new Kind("BIGINT", "-9223372036854775808", "9223372036854775807", "0", "-1"),
                new Kind("BIGINT UNSIGNED", "0", "18446744073709551615", "9223372036854775808"),
                new Kind("INT(10) UNSIGNED ZEROFILL", "0", "42", "4294967295"),
                new Kind("BOOL DEFAULT TRUE", "TRUE", "FALSE"),
                new Kind(
                        "DECIMAL(65,30)",
                        "99999999999999999999999999999999999.999999999999999999999999999999",
                        "-99999999999999999999999999999999999.999999999999999999999999999999",
                        "0.000000000000000000000000000001",
                        "-0.000000000000000000000000000001",
                        "0"),
                new Kind("DECIMAL(65,0)", "9".repeat(65), "-" + "9".repeat(65), "0", "-1"),
                new Kind("DECIMAL(30,30)", "0." + "9".repeat(30), "-0." + "0".repeat(29) + "1", "0"),
                new Kind("DECIMAL(1)", "9", "-9", "0"),
                new Kind("DECIMAL(18,9)", "999999999.999999999", "-100000000.000000001", "-0.5"),
                new Kind("DECIMAL(12,2) UNSIGNED ZEROFILL", "0", "0.01", "9999999999.99"),
                new Kind(
                        "FLOAT",
                        "'-0.0'",
                        "'1.401298464324817e-45'",
                        "'1.1754942106924411e-38'",
                        "'3.4028234663852886e38'",
                        "'-3.4028234663852886e38'",
                        "0.1",
                        "16777215",
                        "1234567.8",
                        "1e10"),
                new Kind("FLOAT UNSIGNED", "0.1", "1e-38", "16777216"),
                new Kind("FLOAT(7,2)", "99999.99", "-99999.99", "0.01", "12345.67"),
                new Kind("DOUBLE(20,3)", "12345678901234567.891", "-0.001", "0.1"),
                new Kind(
                        "DOUBLE",
                        "'-0.0'",
                        "'4.9406564584124654e-324'",
                        "'2.2250738585072009e-308'",
                        "'2.2250738585072014e-308'",
                        "'1.7976931348623157e308'",
                        "'-1.7976931348623157e308'",
                        "0.1e0",
                        "1e0/3e0",
                        "9007199254740993",
                        "1e15",
                        "1e23",
                        "123456789012345678e0")));
        for (var bits : List.of(1, 7, 8, 9, 17, 33, 63, 64)) {
            kinds.add(new Kind(
                    "BIT(" + bits + ")",
                    "b'" + "1".repeat(bits) + "'",
                    "b'0'",
                    "b'1" + "0".repeat(bits - 1) + "'",
                    "b'1'"));
        }
        return kinds;
    }

    private static List<Kind> moments() {
        var kinds = new ArrayList<>(List.of(
                new Kind(
                        "DATE",
                        "'0000-00-00'",
                        "'1000-01-01'",
                        "'9999-12-31'",
                        "'2024-02-29'",
                        "'2024-00-00'",
                        "'0000-02-31'",
                        "'2023-02-30'"),
                new Kind("YEAR", "1901", "2155", "0", "'0'"),
                new Kind("DATETIME DEFAULT CURRENT_TIMESTAMP", "'2024-03-31 02:30:00'"),
                new Kind(
                        "TIMESTAMP NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP",
                        "'2024-03-31 02:30:00'"),
                new Kind("DATETIME(6) DEFAULT NOW(6) ON UPDATE NOW(6)", "'2024-10-27 02:30:00.5'", "NULL")));
        for (int digits = 0; digits <= FRACTIONS; digits++) {
            var nines = digits == 0 ? "" : "." + "9".repeat(digits);
            var one = digits == 0 ? "" : "." + "0".repeat(digits - 1) + "1";
            kinds.add(new Kind(
                    "TIME(" + digits + ")",
                    "'-838:59:59'",
                    "'838:59:59'",
                    "'-00:00:00" + one + "'",
                    "'-00:00:01" + nines + "'",
                    "'00:00:00" + one + "'",
                    "'-100:00:00" + nines + "'",
                    "'23:59:59" + nines + "'",
                    "'00:00:00'"));
            kinds.add(new Kind(
                    "DATETIME(" + digits + ")",
                    "'0000-00-00 00:00:00'",
                    "'0000-01-01 00:00:00" + one + "'",
                    "'9999-12-31 23:59:59" + nines + "'",
                    "'1000-01-01 00:00:00'",
                    "'2024-00-31 12:34:56" + nines + "'",
                    "'2023-02-31 00:00:00" + one + "'"));
            kinds.add(new Kind(
                    "TIMESTAMP(" + digits + ") NULL",
                    "'0000-00-00 00:00:00'",
                    "'1970-01-01 00:00:01'",
                    "'2038-01-19 03:14:07" + nines + "'",
                    "'2024-03-31 02:30:00" + one + "'",
                    "'1999-12-31 23:59:59" + nines + "'"));
        }
        return kinds;
    }

    /** In each character set: what it can hold of many alphabets, spaces at both ends, and bytes that mean something to SQL or LOAD DATA. */
    private static List<Kind> characters(List<String> charsets) {
        var texts = List.of(
                "'aÄéßñ'",
                "'日本表十ソ誠功'",
                "'😀𝒳日'",
                "'ЖШ Ωλ אב ไท'",
                "'  lead'",
                "'trail  '",
                "'tab\\tline\\nback\\\\slash'",
                "'\\\\N'",
                "'quote\\'\"`'",
                "'a\\0\\Z\\r'",
                "''",
                "' '",
                "'a\\t '");
        var kinds = new ArrayList<Kind>();
        for (var charset : charsets) {
            var values = texts.stream()
                    .map(text -> "CONVERT(" + text + " USING " + charset + ")")
                    .toList();
            kinds.add(new Kind("CHAR(24) CHARACTER SET " + charset, values));
            kinds.add(new Kind("VARCHAR(24) CHARACTER SET " + charset, values));
            kinds.add(new Kind("TEXT CHARACTER SET " + charset, values));
        }
        return kinds;
    }

    private static List<Kind> things() {
        return List.of(
                new Kind("ENUM('one')", "'one'", "NULL"),
                new Kind(
                        "ENUM('', '1', '0', 'é', '日') CHARACTER SET gbk DEFAULT '0'", "''", "'1'", "'0'", "'é'", "'日'"),
                new Kind("ENUM(" + members(300) + ")", "'m0'", "'m255'", "'m256'", "'m299'"),
                new Kind("SET('only')", "'only'", "''"),
                new Kind("SET(" + members(17) + ")", "'m0'", "'m16'", "'m0,m8,m16'", "''"),
                new Kind("SET(" + members(64) + ")", "'m63'", "18446744073709551615", "'m0,m31,m32,m63'", "''"),
                new Kind("SET('a','b') CHARACTER SET utf16 DEFAULT 'a,b'", "'a'", "'b'", "'a,b'"),
                new Kind("CHAR(0)", "''", "NULL"),
                new Kind("CHAR(255) COLLATE utf8mb4_bin", "REPEAT('😀', 255)", "'x   '", "REPEAT('é', 200)"),
                new Kind("VARCHAR(0)", "''", "NULL"),
                new Kind("VARCHAR(63)", "REPEAT('😀', 63)", "''"),
                new Kind("VARCHAR(64)", "REPEAT('😀', 64)", "' '"),
                new Kind("BINARY(0)", "''", "NULL"),
                new Kind("BINARY", "X'00'", "X'FF'"),
                new Kind("BINARY(6)", "X''", "X'610000'", "X'000000000001'", "X'5C4E0A0900FF'", "'a  '"),
                new Kind("BINARY(255)", "X''", "REPEAT(X'FF', 255)", "REPEAT(X'0061', 100)"),
                new Kind("VARBINARY(0)", "''", "NULL"),
                new Kind("VARBINARY(300)", "X''", "X'00'", "REPEAT(X'5C', 300)", "X'6100'", "X'22275C0A0D09081A'"),
                new Kind("TINYTEXT", "REPEAT('é', 127)", "''"),
                new Kind("MEDIUMTEXT", "REPEAT('日', 30000)", "'\\\\N'"),
                new Kind("LONGTEXT CHARACTER SET latin1", "REPEAT('ÿ', 70000)", "' '"),
                new Kind("TINYBLOB", "REPEAT(X'00', 255)", "X''"),
                new Kind("BLOB", "REPEAT(X'0009', 32767)", "X''"),
                new Kind("MEDIUMBLOB", "REPEAT(X'0A5C', 40000)", "X'80'"),
                new Kind("LONGBLOB", "REPEAT(X'00FF', 50000)", "X''"),
                new Kind("JSON", json()),
                new Kind(
                        "GEOMETRY",
                        "ST_GeomFromText('POINT(1 -2)')",
                        "ST_GeomFromText('POINT(1 -2)', 4326)",
                        "ST_GeomFromText('GEOMETRYCOLLECTION EMPTY', 3857)",
                        "ST_GeomFromText('GEOMETRYCOLLECTION(POINT(0 0),GEOMETRYCOLLECTION(LINESTRING(1 1,2 2)))')"),
                new Kind("POINT SRID 4326", "ST_GeomFromText('POINT(89.9 -179.9)', 4326)", "NULL"),
                new Kind("LINESTRING", "ST_GeomFromText('LINESTRING(0 0,1e300 -1e-300)')"),
                new Kind("POLYGON", "ST_GeomFromText('POLYGON((0 0,9 0,9 9,0 0),(1 1,2 1,2 2,1 1))')"),
                new Kind("MULTIPOINT", "ST_GeomFromText('MULTIPOINT(0 0,1 1)')"),
                new Kind("MULTILINESTRING", "ST_GeomFromText('MULTILINESTRING((0 0,1 1),(2 2,3 3))')"),
                new Kind("MULTIPOLYGON", "ST_GeomFromText('MULTIPOLYGON(((0 0,9 0,9 9,0 0)))')"),
                new Kind("GEOMETRYCOLLECTION", "ST_GeomFromText('GEOMETRYCOLLECTION(POINT(0 0))')"),
                new Kind("VECTOR(4)", "X'0000803F0000008001000000FFFF7F7F'", "NULL"),
                new Kind("VECTOR(100)", "STRING_TO_VECTOR('[" + "0.1,".repeat(99) + "-7]')"),
                new Kind("INT INVISIBLE DEFAULT 3", "7", "NULL"),
                new Kind("VARCHAR(40) DEFAULT (UUID())", "'x'"),
                new Kind("JSON DEFAULT (JSON_ARRAY(1, 'a'))", "'null'", "NULL"));
    }

    /** A document remembers from which type of column a value came. */
    private static String ofColumn(String type, String value) {
        return "(SELECT v FROM JSON_TABLE(JSON_ARRAY(" + value + "), '$[*]' COLUMNS (v " + type + " PATH '$')) t)";
    }

    private static String members(int count) {
        return IntStream.range(0, count).mapToObj(i -> "'m" + i + "'").collect(Collectors.joining(","));
    }

    private static String[] json() {
        var deep = "[".repeat(90) + "1" + "]".repeat(90);
        var texts = List.of(
                "null",
                "true",
                "\"\"",
                "[]",
                "{}",
                "0",
                "-0.0",
                "5.0",
                "0.1",
                "1e300",
                "-1.7976931348623157e308",
                "5e-324",
                "1e15",
                "1e16",
                "123456789012345680.0",
                "[32767, -32768, 65535, 65536, 2147483647, -2147483648, 4294967295, 9223372036854775807]",
                "[18446744073709551615, -9223372036854775808]",
                "{\"\": 1, \"b\": {\"a\": [null, false, {}]}, \"a\": \"\\\\u0001\\\\\"\\\\\\\\/é😀\\\\n\"}",
                deep);
        var values = texts.stream().map(text -> "'" + text + "'").collect(Collectors.toCollection(ArrayList::new));
        values.addAll(Arrays.asList(
                "NULL",
                // What only SQL can put into a document.
                "JSON_OBJECT('day', CAST('2024-02-29' AS DATE), 'zero', CAST('0000-00-00' AS DATE))",
                "JSON_ARRAY(CAST('-838:59:58.5' AS TIME(6)), CAST('00:00:00' AS TIME))",
                "JSON_ARRAY(CAST('9999-12-31 23:59:59.999999' AS DATETIME(6)), TIMESTAMP'2024-01-01 00:00:00')",
                "JSON_ARRAY(1.5, -0.25, CAST(7 AS DECIMAL(10)))",
                "JSON_ARRAY(12345678901234567890.123, -0.1000000000000000055511151231257827, CAST(1e64 AS DECIMAL(65)))",
                "JSON_ARRAY(CAST('9007199254740993' AS DECIMAL(20)), CAST('18446744073709551616' AS DECIMAL(20)), 1e-7)",
                "JSON_OBJECT('a\"b', JSON_ARRAY('2024-02-29', CAST('2024-02-29' AS DATE), 1.25), '', CAST('12:00' AS TIME),"
                        + " 'é', JSON_OBJECT('c', JSON_ARRAY(JSON_OBJECT(), CAST('2023-02-31' AS DATE)), 'b', X'00'))",
                "CAST(CAST('2024-02-29' AS DATE) AS JSON)",
                "JSON_ARRAY(NULL, CAST('2024-02-29' AS DATE), TRUE, JSON_OBJECT('a', NULL, 'b', CAST('12:00' AS TIME)))",
                "JSON_OBJECT('t', " + ofColumn("TIMESTAMP(3)", "'2024-03-31 02:30:00.5'") + ")",
                "JSON_ARRAY(" + ofColumn("BIT(64)", "18446744073709551615") + ", " + ofColumn("BIT(3)", "5") + ")",
                "JSON_ARRAY(" + ofColumn("TINYBLOB", "X'00'") + ", " + ofColumn("BLOB", "X'FF5C27'") + ", "
                        + ofColumn("MEDIUMBLOB", "REPEAT(X'0A', 300)") + ", " + ofColumn("LONGBLOB", "X''") + ", "
                        + ofColumn("BINARY(4)", "X'61'") + ", " + ofColumn("VARBINARY(29)", "'base64:type15:AA=='")
                        + ")",
                "JSON_ARRAY(REPEAT('x', 1100000), CAST('2024-02-29' AS DATE))",
                "JSON_ARRAY(b'101', CAST('a' AS BINARY), X'00FF', CAST(2024 AS YEAR))",
                "JSON_OBJECT('g', ST_GeomFromText('POINT(1 2)'))",
                // More than 64 KiB is laid out in another way.
                "JSON_OBJECT('long', REPEAT('é', 40000), 'a', JSON_ARRAY(1, 70000, -70000, 1.5e0, TRUE, NULL))",
                "JSON_ARRAY(CAST(5 AS UNSIGNED), REPEAT('x', 127), REPEAT('x', 128), REPEAT('x', 16384))"));
        return values.toArray(String[]::new);
    }
}
