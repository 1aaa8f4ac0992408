package dev.shardwright.router;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Literals and parameters as applications write them, and as they should not. Text is made from left to right. */
final class RandomValues {
    /** No texts of numbers beyond 2^53: whether MySQL compares these exactly depends on its plan. */
    private static final List<String> ODD = List.of(
            "'5abc'",
            "5.0",
            "5e0",
            "0x35",
            "x'35'",
            "-1",
            "99999999999999999999",
            "18446744073709551615",
            "'5 '",
            "' 5'",
            "'05'",
            "TRUE",
            "NULL",
            "''",
            "DATE '2020-01-01'",
            "'2020-01-01'",
            "-'5'",
            "- 5",
            "-(5)",
            "+5",
            "(5)",
            "((7))",
            "5 + 0",
            "b'101'",
            "'5.0'",
            "_latin1'5'",
            "_utf8mb4'5'",
            "N'5'",
            "_latin1 0xC3A9",
            "_binary'5'",
            "CAST(5 AS CHAR)",
            "-(-5)",
            "'5' '3'",
            "_latin1 0x35",
            "-0x35",
            "'-0'",
            "-0",
            "9007199254740993",
            "1 = 1",
            "BINARY 'bob'",
            "'alice' COLLATE utf8mb4_general_ci",
            "'al' 'ice'",
            "-'alice'",
            "'%'",
            "0xC3A9",
            "_utf8mb3'é'",
            "N'é'",
            "_binary'é'",
            "'bob'",
            "'ALICE'",
            "0x626f6220",
            "\"5\"",
            "x'626f62'",
            "'4294967296'",
            "-N'5'",
            "-_latin1'5'",
            "~5",
            "!5",
            "'-5'",
            "-5",
            "5.4",
            "'5\\0'",
            "'bo\\b'",
            "'a\\\\b'",
            "'o''neil'",
            "'a\\%'",
            "_utf16 0x0035",
            "@key",
            "LOWER('ALICE')",
            "INTERVAL(5, 1)",
            "CURDATE()");

    private final Random random;
    private final List<@Nullable Object> parameters = new ArrayList<>();
    private final boolean prepared;
    private final boolean doubleQuotes;
    private final boolean backslashes;

    /** @param sqlMode of the session that will run the statement */
    RandomValues(Random random, boolean prepared, String sqlMode) {
        this.random = random;
        this.prepared = prepared;
        this.doubleQuotes = !sqlMode.contains("ANSI");
        this.backslashes = !sqlMode.contains("NO_BACKSLASH_ESCAPES");
    }

    List<@Nullable Object> parameters() {
        return parameters;
    }

    boolean prepared() {
        return prepared;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int number(int below) {
        return random.nextInt(below);
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    String pick(String... from) {
        return from[random.nextInt(from.length)];
    }

    /** A blank, or what MySQL takes for one. */
    String gap() {
        return chance(94)
                ? " "
                : pick(" /* 'x */ ", "\n", "\t", " -- it's\n", " # \"\n", " /*! */ ", "/**/", " /*!80000 */ ", "  ");
    }

    String keyOf(TwinTable table) {
        return chance(82) ? plainKey(table) : chance(15) && prepared ? parameter(odd()) : pick(ODD);
    }

    /** One of the table's usual keys. */
    String plainKey(TwinTable table) {
        return value(pick(table.keys()));
    }

    String value(Object value) {
        return prepared && chance(70) ? parameter(chance(75) ? value : dressed(value)) : literal(value);
    }

    String parameter(@Nullable Object value) {
        parameters.add(value);
        return "?";
    }

    private @Nullable Object odd() {
        return switch (number(10)) {
            case 0 -> null;
            case 1 -> 5.0;
            case 2 -> new BigDecimal("5.00");
            case 3 -> Boolean.TRUE;
            case 4 -> java.time.LocalDate.of(2020, 1, 1);
            case 5 -> java.sql.Timestamp.valueOf("2020-01-01 00:00:00");
            case 6 -> "5abc";
            case 7 -> 5.5f;
            case 8 -> java.time.LocalTime.of(0, 0, 5);
            default -> new BigInteger("18446744073709551615");
        };
    }

    /** The same value in another Java type. */
    private Object dressed(Object value) {
        if (value instanceof Long number) {
            return switch (number(6)) {
                case 0 -> Math.abs(number) < 1L << 53 ? number.toString() : number;
                case 1 -> BigInteger.valueOf(number);
                case 2 -> BigDecimal.valueOf(number);
                case 3 -> Math.abs(number) < 100 ? (Object) (byte) (long) number : number;
                case 4 -> Math.abs(number) < 100 ? (Object) (short) (long) number : number;
                default -> Math.abs(number) < 100 ? (Object) (int) (long) number : (Object) (double) number;
            };
        }
        if (value instanceof String text) {
            return chance(50) ? text.getBytes(StandardCharsets.UTF_8) : text;
        }
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value;
    }

    String literal(Object value) {
        if (value instanceof byte[] bytes) {
            var text = new String(bytes, StandardCharsets.UTF_8);
            return chance(40) && java.util.Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)
                    ? (chance(30) ? "_binary" : "") + text(text)
                    : "x'" + HexFormat.of().formatHex(bytes) + "'";
        }
        if (value instanceof String text) {
            return chance(8)
                    ? "x'" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)) + "'"
                    : (chance(4) ? "_utf8mb4" : "") + text(text);
        }
        return value instanceof Long number && Math.abs(number) < 1L << 53 && chance(8)
                ? "'" + value + "'"
                : String.valueOf(value);
    }

    String text(String text) {
        var quote = doubleQuotes && chance(25) ? '"' : '\'';
        var out = new StringBuilder().append(quote);
        for (var c : text.toCharArray()) {
            if (c == quote) {
                out.append(backslashes && chance(50) ? '\\' : quote).append(c);
            } else if (c == '\\' && backslashes) {
                out.append("\\\\");
            } else if (c == 0 && backslashes) {
                out.append("\\0");
            } else if (c == '\t' && backslashes && chance(50)) {
                out.append("\\t");
            } else {
                out.append(backslashes && Character.isUpperCase(c) && c != 'Z' && chance(5) ? "\\" : "")
                        .append(c);
            }
        }
        return out.append(quote).toString();
    }
}
