package dev.shardwright.reshard.table;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** How names and values are written in statements. */
public final class Sql {
    private Sql() {}

    public static String name(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** A text literal, whatever the session's sql_mode. */
    public static String text(String value) {
        return "_utf8mb4 X'" + HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8)) + "'";
    }

    public static String bytes(byte[] value) {
        return "X'" + HexFormat.of().formatHex(value) + "'";
    }
}
