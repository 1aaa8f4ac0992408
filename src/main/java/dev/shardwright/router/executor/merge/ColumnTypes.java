package dev.shardwright.router.executor.merge;

/** MYSQL_TYPE_* of the protocol, as far as a merge looks at them. */
final class ColumnTypes {
    static final int DECIMAL = 0;
    static final int TINY = 1;
    static final int SHORT = 2;
    static final int LONG = 3;
    static final int FLOAT = 4;
    static final int DOUBLE = 5;
    static final int NULL = 6;
    static final int TIMESTAMP = 7;
    static final int LONGLONG = 8;
    static final int INT24 = 9;
    static final int DATE = 10;
    static final int TIME = 11;
    static final int DATETIME = 12;
    static final int YEAR = 13;
    static final int VARCHAR = 15;
    static final int BIT = 16;
    static final int JSON = 245;
    static final int NEWDECIMAL = 246;
    static final int ENUM = 247;
    static final int SET = 248;
    static final int TINY_BLOB = 249;
    static final int MEDIUM_BLOB = 250;
    static final int LONG_BLOB = 251;
    static final int BLOB = 252;
    static final int VAR_STRING = 253;
    static final int STRING = 254;

    private ColumnTypes() {}

    static boolean integer(int type) {
        return switch (type) {
            case TINY, SHORT, LONG, LONGLONG, INT24, YEAR -> true;
            default -> false;
        };
    }

    static boolean string(int type) {
        return switch (type) {
            case VARCHAR, ENUM, SET, TINY_BLOB, MEDIUM_BLOB, LONG_BLOB, BLOB, VAR_STRING, STRING -> true;
            default -> false;
        };
    }

    /** Bytes of a value in a binary row; 0: its length stands before it, as one byte; -1: as a length-encoded integer. */
    static int binarySize(int type) {
        return switch (type) {
            case TINY -> 1;
            case SHORT, YEAR -> 2;
            case LONG, INT24, FLOAT -> 4;
            case LONGLONG, DOUBLE -> 8;
            case DATE, DATETIME, TIMESTAMP, TIME -> 0;
            default -> -1;
        };
    }
}
