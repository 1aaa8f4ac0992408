package dev.shardwright.reshard.table;

import dev.shardwright.mysql.binlog.ColumnFormat;
import dev.shardwright.mysql.binlog.ColumnKind;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table that is moved.
 *
 * @param type as MySQL writes it in full, such as {@code bigint unsigned}
 * @param characters most characters of a text column, bytes of a binary one; else 0
 * @param scale digits after the point of a DECIMAL; else 0
 * @param charset character set of a text column, null for other types
 * @param padded the collation ignores trailing spaces
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
        boolean padded) {

    public ColumnFormat format() {
        return new ColumnFormat(kind, unsigned, kind == ColumnKind.BINARY ? (int) characters : 0);
    }

    public boolean isText() {
        return kind == ColumnKind.CHAR || kind == ColumnKind.TEXT;
    }

    /** What to SELECT so that {@link #normal} gives the value's one form. */
    public String selected() {
        return switch (kind) {
            // As text, a FLOAT has too few digits.
            case FLOAT, DOUBLE -> "CAST(" + Sql.name(name) + " AS DOUBLE)";
            case ENUM, SET -> "CAST(" + Sql.name(name) + " AS UNSIGNED)";
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
            default -> selected;
        };
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
            case JSON -> "_utf8mb4 " + Sql.bytes(value);
            case BINARY, BYTES, BIT, GEOMETRY -> Sql.bytes(value);
        };
    }

    /** Null when LOAD DATA takes the value's bytes as they are; else the expression that makes the value from a variable. */
    public @Nullable String loaded(String variable) {
        return switch (kind) {
            case ENUM, SET -> "CAST(" + variable + " AS UNSIGNED)";
            case JSON -> "CONVERT(" + variable + " USING utf8mb4)";
            default -> null;
        };
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
