package dev.shardwright.router;

import dev.shardwright.api.VSchema.ColumnVindex;
import dev.shardwright.api.VSchema.ShardKeyColumn;
import dev.shardwright.api.VSchema.TableSpec;
import dev.shardwright.topology.vindex.ShardKeyValue;
import dev.shardwright.topology.vindex.Vindexes;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table of the random statements. All have the same columns beside their key.
 *
 * @param vindex null for a table that the vschema does not list
 * @param keys what most statements name, so that rows are found
 */
record TwinTable(
        String name,
        String key,
        String type,
        @Nullable String collation,
        @Nullable String vindex,
        List<Object> keys) {
    private static final String COLUMNS =
            ", id INT NOT NULL DEFAULT 0, n INT DEFAULT 7, price DECIMAL(10,2), body VARCHAR(40)"
                    + ", note VARCHAR(30) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, ratio DOUBLE, at DATETIME(3)"
                    + ", kind ENUM('b','a','c'), bin VARBINARY(12), big BIGINT UNSIGNED, ";

    private static final List<Object> NUMBERS =
            List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 35L, 53L, 123456789L, 2147483648L);
    private static final List<Object> SIGNED = List.of(
            0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 35L, 53L, -1L, -5L, 9007199254740992L, 9007199254740993L);
    private static final List<Object> NAMES = List.of(
            "alice", "Alice", "bob", "bob ", "", "5", "05", "-5", "o'neil", "a\\b", "a\"b", "\ttab", "é", "e", "漢字",
            "Ã©", "?", "😀", "%", "a_b", "x");
    private static final List<Object> BYTES = List.of(
            bytes("alice"),
            bytes("bob"),
            bytes("bob "),
            bytes(""),
            bytes("5"),
            bytes("-5"),
            bytes("é"),
            new byte[] {0, 1},
            new byte[] {(byte) 0xe9},
            new byte[] {0x27, 0x5c},
            bytes("A"),
            bytes("a"));
    private static final List<Object> FOUR = List.of(
            bytes("abcd"), bytes("bob\0"), bytes("bob "), bytes("-5\0\0"), bytes("éé"), new byte[] {5, 0, 0, 0});

    static final List<TwinTable> ALL = List.of(
            new TwinTable("messages", "channel_id", "bigint", null, "by_bytes", SIGNED),
            new TwinTable("posts", "channel_id", "bigint", null, "by_bytes", SIGNED),
            new TwinTable("names", "name", "varchar(20)", "utf8mb4_0900_bin", "by_bytes", NAMES),
            new TwinTable("tokens", "token", "varbinary(12)", null, "by_bytes", BYTES),
            new TwinTable("codes", "code", "binary(4)", null, "by_bytes", FOUR),
            new TwinTable("accounts", "user_id", "int unsigned", null, "by_number", NUMBERS.subList(0, 14)),
            new TwinTable("settings", "name", "varchar(20)", "utf8mb4_0900_bin", null, NAMES));

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    boolean sharded() {
        return vindex != null;
    }

    TableSpec spec() {
        return new TableSpec(
                name, List.of(new ColumnVindex(List.of(new ShardKeyColumn(key, type, collation)), vindex)));
    }

    String create() {
        var collated = collation == null ? "" : " CHARACTER SET utf8mb4 COLLATE " + collation;
        return "CREATE TABLE " + name + " (" + key + " " + type + collated + " NOT NULL" + COLUMNS + "PRIMARY KEY ("
                + key + ", id), KEY by_n (n))";
    }

    /** By the vindex alone, not by the router's planner. */
    byte @Nullable [] keyspaceId(Object value) {
        var stored = switch (value) {
            case byte[] bytes -> new ShardKeyValue.Bytes(bytes);
            case String text -> new ShardKeyValue.Bytes(bytes(text));
            default -> new ShardKeyValue.Int(new BigInteger(value.toString()));
        };
        return Vindexes.of("by_number".equals(vindex) ? "hash" : "xxhash").keyspaceId(Arrays.asList(stored));
    }

    byte @Nullable [] keyspaceId(ResultSet row) throws SQLException {
        return keyspaceId(type.contains("int") ? new BigInteger(row.getString(1)) : row.getBytes(1));
    }
}
