package dev.shardwright.mysql.wire;

/** Type codes of values in the binary protocol, and how long a value is. */
public final class ParameterType {
    public static final int DECIMAL = 0;
    public static final int TINY = 1;
    public static final int SHORT = 2;
    public static final int LONG = 3;
    public static final int FLOAT = 4;
    public static final int DOUBLE = 5;
    public static final int NULL = 6;
    public static final int TIMESTAMP = 7;
    public static final int LONGLONG = 8;
    public static final int INT24 = 9;
    public static final int DATE = 10;
    public static final int TIME = 11;
    public static final int DATETIME = 12;
    public static final int YEAR = 13;
    public static final int VARCHAR = 15;
    public static final int BIT = 16;
    public static final int JSON = 245;
    public static final int NEWDECIMAL = 246;
    public static final int ENUM = 247;
    public static final int SET = 248;
    public static final int TINY_BLOB = 249;
    public static final int MEDIUM_BLOB = 250;
    public static final int LONG_BLOB = 251;
    public static final int BLOB = 252;
    public static final int VAR_STRING = 253;
    public static final int STRING = 254;
    public static final int GEOMETRY = 255;

    private ParameterType() {}

    /** Moves the reader over one value of this type. */
    public static void skip(PayloadReader in, int type) {
        switch (type) {
            case NULL -> {}
            case TINY -> in.skip(1);
            case SHORT, YEAR -> in.skip(2);
            case LONG, INT24, FLOAT -> in.skip(4);
            case LONGLONG, DOUBLE -> in.skip(8);
            default -> in.skip(in.lengthEncoded());
        }
    }
}
