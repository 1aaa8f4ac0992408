package dev.shardwright.mysql.binlog;

/**
 * What has to be known of a column, beyond a table map, to read its values.
 *
 * @param fixedLength bytes of a BINARY(n) column: the binary log drops its trailing zero bytes; else 0
 */
public record ColumnFormat(ColumnKind kind, boolean unsigned, int fixedLength) {}
