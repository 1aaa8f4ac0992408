package dev.shardwright.mysql.binlog;

import java.util.List;

/** What a source's binary log says, whole transactions in commit order. */
public sealed interface BinlogEvent {

    /**
     * Committed changes. An XA transaction comes at its XA COMMIT, with the ids of both its halves; one that
     * was rolled back comes without rows.
     *
     * @param gtids the transactions of the source that have been dealt with once these rows are applied
     * @param rows to be closed by whoever takes this
     */
    record Transaction(List<Gtid> gtids, RowLog rows) implements BinlogEvent {}

    /** A statement that is logged as text and is a transaction of its own: DDL, account management and such. */
    record Statement(Gtid gtid, String database, String sql) implements BinlogEvent {}

    /** An XA branch is prepared; its rows come with its commit. */
    record Prepared(Gtid gtid) implements BinlogEvent {}

    /** XA COMMIT of a branch whose PREPARE was not in this stream. */
    record UnknownXaCommit(Gtid gtid, String xid) implements BinlogEvent {}

    /** The source has had nothing to say for a second. */
    record Heartbeat() implements BinlogEvent {}
}
