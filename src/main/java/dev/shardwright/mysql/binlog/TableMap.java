package dev.shardwright.mysql.binlog;

import java.util.Arrays;

/** Which table the row events that follow belong to, and how its columns are laid out. */
public record TableMap(String schema, String table, int[] types, int[] metadata) {
    static final int FLOAT = 4;
    static final int DOUBLE = 5;
    static final int VARCHAR = 15;
    static final int BIT = 16;
    static final int TIMESTAMP2 = 17;
    static final int DATETIME2 = 18;
    static final int TIME2 = 19;
    static final int VECTOR = 242;
    static final int JSON = 245;
    static final int NEWDECIMAL = 246;
    static final int ENUM = 247;
    static final int SET = 248;
    static final int BLOB = 252;
    static final int STRING = 254;
    static final int GEOMETRY = 255;

    static TableMap parse(byte[] event, int body, int end) {
        var in = new ByteCursor(event, body + 8, end);
        var schema = in.text(in.u8());
        in.skip(1);
        var table = in.text((int) in.packed());
        in.skip(1);
        var columns = (int) in.packed();
        var types = new int[columns];
        Arrays.setAll(types, unused -> in.u8());
        in.packed();
        var metadata = new int[columns];
        Arrays.setAll(metadata, i -> metadata(types[i], in));
        return new TableMap(schema, table, types, metadata);
    }

    /** Two-byte metadata comes as high byte first, whatever its order in the event. */
    private static int metadata(int type, ByteCursor in) {
        return switch (type) {
            case FLOAT, DOUBLE, BLOB, JSON, GEOMETRY, VECTOR, TIMESTAMP2, DATETIME2, TIME2 -> in.u8();
            case VARCHAR, BIT -> (int) in.little(2);
            case NEWDECIMAL, ENUM, SET, STRING -> (int) in.big(2);
            default -> 0;
        };
    }

    int columns() {
        return types.length;
    }
}
