package dev.shardwright.reshard.mover;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table with a kind of key that movers of rows have got wrong, here or elsewhere, and keys that are near each other. */
enum KeyKind {
    CASELESS(
            "name VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, PRIMARY KEY (name)",
            "name",
            "'a'",
            "'B'",
            "'c'",
            "'É'",
            "'z'",
            "'e'",
            "'E '",
            "'ß'",
            "'ss'",
            "''",
            "'Z1'",
            "'日本'",
            "'😀'",
            "'a\\0'"),
    PADDED(
            "name CHAR(10) COLLATE utf8mb4_bin PRIMARY KEY",
            "name",
            "'a'",
            "'A'",
            "' a'",
            "'a\\t'",
            "''",
            "'é'",
            "'a b'"),
    SWEDISH(
            "name VARCHAR(10) CHARACTER SET latin1 PRIMARY KEY",
            "name",
            "'a'",
            "'b '",
            "'é'",
            "'F'",
            "'ö'",
            "'z'",
            "''"),
    UCS2("name VARCHAR(10) CHARACTER SET ucs2 PRIMARY KEY", "name", "'a'", "'b '", "'é'", "'日'", "'z'", "''"),
    UTF16("name VARCHAR(10) CHARACTER SET utf16 PRIMARY KEY", "name", "'a'", "'b '", "'😀'", "'日'", "'z'", "''"),
    GBK("name CHAR(10) CHARACTER SET gbk PRIMARY KEY", "name", "'a'", "'啊'", "'中文'", "'z'", "''"),
    ENUMERATED(
            "e ENUM('z','a','m','10','9'), n INT, PRIMARY KEY (e, n)",
            "e, n",
            "'z', 1",
            "'a', 1",
            "'m', -1",
            "'m', 1",
            "'10', 1",
            "'9', 1",
            "'9', 2"),
    ZEROS(
            "b BINARY(4) PRIMARY KEY",
            "b",
            "X''",
            "X'61'",
            "X'6100'",
            "X'610001'",
            "X'00000001'",
            "X'61000100'",
            "X'FF'",
            "X'5C5C0900'"),
    VARZEROS(
            "b VARBINARY(6) PRIMARY KEY",
            "b",
            "X''",
            "X'00'",
            "X'0000'",
            "X'61'",
            "X'6100'",
            "X'610000'",
            "X'6101'",
            "X'FF'"),
    NEGATIVE("k SMALLINT PRIMARY KEY", "k", "-32768", "-1", "0", "1", "32767", "-256", "255"),
    SPARSE(
            "k BIGINT UNSIGNED PRIMARY KEY",
            "k",
            "0",
            "1",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551614",
            "18446744073709551615"),
    SKEWED("t INT, k MEDIUMINT UNSIGNED, PRIMARY KEY (t, k)", "t, k", heavy()),
    MOMENTS(
            "k DATETIME(6) PRIMARY KEY",
            "k",
            "'0000-00-00 00:00:00'",
            "'1000-01-01 00:00:00.000001'",
            "'2024-02-29 23:59:59.999999'",
            "'2024-03-01'",
            "'9999-12-31 23:59:59.999999'"),
    STAMPS(
            "k TIMESTAMP(3) PRIMARY KEY",
            "k",
            "'0000-00-00 00:00:00'",
            "'1970-01-02 00:00:00'",
            "'2024-03-31 01:30:00.001'",
            "'2024-03-31 02:30:00'",
            "'2038-01-18 00:00:00'"),
    DAYS(
            "k DATE, y YEAR, PRIMARY KEY (y, k)",
            "k, y",
            "'2024-02-29', 1901",
            "'0000-00-00', 2155",
            "'2024-00-00', 0",
            "'9999-12-31', 2024"),
    TIMES(
            "k TIME(2) PRIMARY KEY",
            "k",
            "'-838:59:59'",
            "'-00:00:00.5'",
            "'00:00:00'",
            "'00:00:00.01'",
            "'100:00:00'",
            "'838:59:59'",
            "'-00:00:01'"),
    AMOUNTS(
            "k DECIMAL(30,10) PRIMARY KEY",
            "k",
            "-99999999999999999999.9999999999",
            "-0.0000000001",
            "0",
            "0.1",
            "9.99",
            "10",
            "99999999999999999999.9999999999"),
    COUNTED("k INT AUTO_INCREMENT PRIMARY KEY", "k", "0", "-5", "1", "2", "1000000", "2147483646"),
    DOWNWARDS(
            "a VARCHAR(5), k INT, PRIMARY KEY (a DESC, k ASC)",
            "a, k",
            "'a', 1",
            "'a', 2",
            "'ab', 1",
            "'', 3",
            "'B', -1",
            "'B', 5",
            "'z', 0"),
    UNIQUELY(
            "a VARCHAR(5) NOT NULL, k INT NOT NULL, n INT, UNIQUE (n), UNIQUE early (a(2), k), UNIQUE pick (k, a)",
            "a, k",
            "'a', 1",
            "'A1', 1",
            "'b', 1",
            "'b', 2",
            "'c', -3",
            "'d', 0"),
    PARTITIONED(
            "k INT, d DATE, PRIMARY KEY (k, d)"
                    + "| PARTITION BY RANGE (YEAR(d)) SUBPARTITION BY HASH (k) SUBPARTITIONS 2 (PARTITION p0 VALUES LESS THAN (2000),"
                    + " PARTITION p1 VALUES LESS THAN MAXVALUE)",
            "k, d",
            "1, '1999-01-01'",
            "1, '2001-01-01'",
            "2, '1999-01-01'",
            "2, '2001-01-01'",
            "3, '1999-12-31'",
            "-1, '2024-01-01'"),
    /** This one and the next four have keys that can't be followed, so they go as tables without one. */
    FLOATS(
            "f FLOAT PRIMARY KEY",
            "f",
            "-3.402823466E38",
            "-1.5",
            "-1.401298464E-45",
            "-0E0",
            "0E0",
            "1.401298464E-45",
            "1.175494351E-38",
            "0.1",
            "16777216",
            "16777218",
            "3.402823466E38"),
    DOUBLES(
            "d DOUBLE, f FLOAT, PRIMARY KEY (d, f)",
            "d, f",
            "-1.7976931348623157E308, -0E0",
            "-0E0, 0.5",
            "0E0, 0.5",
            "0E0, 0.1",
            "4.9406564584124654E-324, 1",
            "2.2250738585072014E-308, -1",
            "0.3, 1",
            "0.30000000000000004, 1",
            "9007199254740993, 1.401298464E-45",
            "1.7976931348623157E308, 3.402823466E38"),
    BITS("b BIT(64) PRIMARY KEY", "b", "0", "1", "255", "9223372036854775808", "18446744073709551615"),
    SETS("s SET('a','b','c') PRIMARY KEY", "s", "''", "'a'", "'b'", "'a,b'", "'c'", "'a,b,c'"),
    BEGINNINGS(
            "t VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, b BLOB, PRIMARY KEY (t(3), b(2))",
            "t, b",
            "'abc', X'00'",
            "'abc', X'0001'",
            "'ABCD', X'000102'",
            "'É', X''",
            "'e', X'FF'",
            "'e ', X'FF'"),
    WIDE(
            IntStream.range(0, 98)
                    .mapToObj(i -> "c" + i + " INT DEFAULT " + i)
                    .collect(Collectors.joining(", ", "", ", k INT PRIMARY KEY")),
            "k",
            "1",
            "2",
            "3",
            "4",
            "5",
            "6");

    private final String columns;
    private final String options;
    final String keyColumns;
    final List<String> keys;

    /** @param columns and after a bar what follows the columns in CREATE TABLE */
    KeyKind(String columns, String keyColumns, String... keys) {
        var parts = columns.split("\\|", 2);
        this.columns = parts[0];
        this.options = parts.length == 1 ? "" : parts[1];
        this.keyColumns = keyColumns;
        this.keys = List.of(keys);
    }

    private static String[] heavy() {
        var keys = new ArrayList<>(List.of("-1, 5", "2, 0", "2, 16777215"));
        IntStream.range(0, 40).forEach(i -> keys.add("1, " + i * i));
        return keys.toArray(String[]::new);
    }

    String table() {
        return "k_" + name().toLowerCase(java.util.Locale.ROOT);
    }

    String creation() {
        return "CREATE TABLE " + table() + " (v INT, " + columns + ")" + options;
    }
}
