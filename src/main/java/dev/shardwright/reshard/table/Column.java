package dev.shardwright.reshard.table;

import dev.shardwright.mysql.binlog.ColumnFormat;
import dev.shardwright.mysql.binlog.ColumnKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table that is moved.
 *
 * @param type as MySQL writes it in full, such as {@code bigint unsigned}
 * @param characters most characters of a text column, bytes of a binary one; else 0
 * @param scale digits after the point of a DECIMAL; else 0
 * @param charset character set of a text column, null for other types
 * @param padded the collation ignores trailing spaces
 * @param origin where its values come from
 * @param descending it is part of the key, and the key's index sorts it downwards
 */
public record Column(
        String name,
        ColumnKind kind,
        String type,
        boolean unsigned,
        long characters,
        int scale,
        @Nullable String charset,
        @Nullable String collation,
        boolean padded,
        Origin origin,
        boolean descending) {

    /** Where a column's values come from, beside the statement that names it. */
    public enum Origin {
        Plain,
        /** An UPDATE that does not name it sets it to the time ({@code ON UPDATE CURRENT_TIMESTAMP}). */
        Touched,
        /** MySQL computes it when the row is written, and keeps it. */
        Stored,
        /** MySQL computes it whenever it is read, by the reader's settings. */
        Virtual
    }

    /** Whether a statement may give it a value. */
    public boolean isWritten() {
        return origin == Origin.Plain || origin == Origin.Touched;
    }

    /** Whether source and target must agree; a virtual column has no value of its own. */
    public boolean isCompared() {
        return origin != Origin.Virtual;
    }

    /** The same column as a part of the key that is sorted downwards. */
    Column downwards() {
        return new Column(name, kind, type, unsigned, characters, scale, charset, collation, padded, origin, true);
    }

    public ColumnFormat format() {
        return new ColumnFormat(kind, unsigned, kind == ColumnKind.BINARY ? (int) characters : 0);
    }

    public boolean isText() {
        return kind == ColumnKind.CHAR || kind == ColumnKind.TEXT;
    }

    /** What to SELECT so that {@link #normal} gives the value's one form. */
    public String selected() {
        if (origin == Origin.Virtual) {
            return "NULL";
        }
        return switch (kind) {
            // As text, a FLOAT has too few digits.
            case FLOAT, DOUBLE -> "CAST(" + Sql.name(name) + " AS DOUBLE)";
            case ENUM, SET -> "CAST(" + Sql.name(name) + " AS UNSIGNED)";
            case JSON -> Document.selected(Sql.name(name));
            default -> Sql.name(name);
        };
    }

    /** The value's one form (see ColumnKind), from the bytes that the server answered. */
    public byte @Nullable [] normal(byte @Nullable [] selected) {
        if (selected == null) {
            return null;
        }
        return switch (kind) {
            case FLOAT, DOUBLE -> ascii(Double.toString(Double.parseDouble(ascii(selected))));
            case INTEGER ->
                selected.length > 1 && selected[0] == '0'
                        ? ascii(Long.toUnsignedString(Long.parseUnsignedLong(ascii(selected))))
                        : selected;
            case DECIMAL ->
                selected.length > 1 && selected[0] == '0'
                        ? ascii(new BigDecimal(ascii(selected)).toPlainString())
                        : selected;
            case JSON -> Document.normal(selected);
            default -> selected;
        };
    }

    /** Whether {@link #normal} would leave the value with these bytes as it is. */
    boolean isNormal(byte[] memory, int from, int length) {
        return switch (kind) {
            case FLOAT, DOUBLE -> false;
            case INTEGER, DECIMAL -> length < 2 || memory[from] != '0';
            case JSON -> Document.isText(memory, from, from + length);
            default -> true;
        };
    }

    /** An ENUM's error value: a column can hold it, but no statement in strict mode can store it. */
    public boolean isError(byte @Nullable [] value) {
        return kind == ColumnKind.ENUM && value != null && value.length == 1 && value[0] == '0';
    }

    /** The value in a statement. */
    public String literal(byte @Nullable [] value) {
        if (value == null) {
            return "NULL";
        }
        return switch (kind) {
            case INTEGER, DECIMAL, YEAR, ENUM, SET -> ascii(value);
            case FLOAT, DOUBLE -> ascii(value).indexOf('E') >= 0 ? ascii(value) : ascii(value) + "E0";
            case DATE, TIME, DATETIME, TIMESTAMP -> "'" + ascii(value) + "'";
            case CHAR, TEXT -> "_" + charset + " " + Sql.bytes(value);
            case JSON -> Document.expression(value, "_utf8mb4 " + Sql.bytes(Document.text(value)));
            case BINARY, BYTES, BIT, GEOMETRY -> Sql.bytes(value);
        };
    }

    /** The value as a {@code ?} that is given as bytes. Only for types that can be long. */
    public String parameter(PackedValues value) {
        return switch (kind) {
            case CHAR, TEXT -> "CONVERT(? USING " + charset + ")";
            case JSON ->
                Document.isText(value.stream())
                        ? firstLine("?")
                        : Document.expression(Objects.requireNonNull(value.copy()), firstLine("?"));
            case BINARY, BYTES, GEOMETRY -> "?";
            default -> throw new IllegalStateException("a parameter of type " + type);
        };
    }

    /**
     * A condition that is true of no other value: not of one that its collation takes for equal, nor of the other zero.
     *
     * @param written the value as a statement has it, {@link #literal} or {@link #parameter}
     */
    public String matches(PackedValues value, String written) {
        var quoted = Sql.name(name);
        if (value.isNull()) {
            return quoted + " IS NULL";
        }
        return switch (kind) {
            case INTEGER, DECIMAL, YEAR, DATE, TIME, DATETIME, TIMESTAMP, BINARY -> quoted + " = " + written;
            // A VECTOR equals none but a VECTOR.
            case BYTES -> (type.startsWith("vector") ? binary(quoted) : quoted) + " = " + written;
            case ENUM, SET -> "CAST(" + quoted + " AS UNSIGNED) = " + written;
            case BIT -> "CAST(" + quoted + " AS UNSIGNED) = " + new BigInteger(1, Objects.requireNonNull(value.copy()));
            case FLOAT, DOUBLE ->
                quoted + " = " + written
                        + (Double.parseDouble(written) == 0
                                ? " AND CONCAT(" + quoted + ")" + (written.startsWith("-") ? "" : " NOT") + " LIKE '-%'"
                                : "");
            case GEOMETRY -> binary(quoted) + " = " + written;
            case CHAR, TEXT ->
                written.startsWith("_")
                        // The first condition is for an index.
                        ? quoted + " = " + written + " AND " + binary(quoted) + " = "
                                + Sql.bytes(Objects.requireNonNull(value.copy()))
                        : binary(quoted) + " = ?";
            case JSON -> Document.matches(quoted, written);
        };
    }

    private static String binary(String expression) {
        return "CAST(" + expression + " AS BINARY)";
    }

    /** Null when LOAD DATA takes the value's bytes as they are; else the expression that makes the value from a variable. */
    public @Nullable String loaded(String variable) {
        return switch (kind) {
            case ENUM, SET -> "CAST(" + variable + " AS UNSIGNED)";
            case JSON -> firstLine(variable);
            default -> null;
        };
    }

    private static String firstLine(String bytes) {
        return "SUBSTRING_INDEX(CONVERT(" + bytes + " USING utf8mb4), '\\n', 1)";
    }

    /** The value for people. */
    public String shown(byte @Nullable [] value) {
        if (value == null) {
            return "NULL";
        }
        return switch (kind) {
            case BINARY, BYTES, BIT, GEOMETRY -> printable(value) ? quoted(value) : "0x" + hex(value);
            case CHAR, TEXT -> decodable(value) ? quoted(value) : "0x" + hex(value);
            default -> ascii(value);
        };
    }

    private static boolean printable(byte[] value) {
        for (var b : value) {
            if (b < ' ' || b == 0x7f) {
                return false;
            }
        }
        return true;
    }

    private boolean decodable(byte[] value) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(value));
            return "utf8mb4".equals(charset) || "utf8mb3".equals(charset) || printable(value);
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static String quoted(byte[] value) {
        return "'" + new String(value, StandardCharsets.UTF_8) + "'";
    }

    private static String hex(byte[] value) {
        return HexFormat.of().formatHex(value);
    }

    private static String ascii(byte[] value) {
        return new String(value, StandardCharsets.ISO_8859_1);
    }

    private static byte[] ascii(String value) {
        return value.getBytes(StandardCharsets.ISO_8859_1);
    }
}
