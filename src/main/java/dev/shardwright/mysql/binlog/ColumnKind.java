package dev.shardwright.mysql.binlog;

/** The column types by the way their values travel. Every value has one text or byte form, the same from a SELECT and from the binary log. */
public enum ColumnKind {
    /** Decimal text. */
    INTEGER,
    /** Plain decimal text with all digits of the scale. */
    DECIMAL,
    /** The shortest text that gives the same double again, by Java's rules. */
    FLOAT,
    DOUBLE,
    /** Four digits. */
    YEAR,
    /** MySQL's own text, in UTC; zero and partly zero dates as they are. */
    DATE,
    TIME,
    DATETIME,
    TIMESTAMP,
    /** Bytes in the column's character set, trailing spaces dropped. */
    CHAR,
    /** Bytes in the column's character set. */
    TEXT,
    /** All bytes, trailing zeros included. */
    BINARY,
    BYTES,
    /** Big-endian, as many whole bytes as the column needs. */
    BIT,
    /** The member's number as decimal text. */
    ENUM,
    /** The members' bits as unsigned decimal text. */
    SET,
    /** JSON text in utf8mb4; behind a line feed which of its scalars are not what their text says, such as {@code 0D,3B}. */
    JSON,
    /** MySQL's internal form: SRID and WKB. */
    GEOMETRY
}
