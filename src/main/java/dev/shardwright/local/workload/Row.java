package dev.shardwright.local.workload;

import java.sql.ResultSet;
import java.sql.SQLException;

/** A row of the chat as a server returned it. */
sealed interface Row {

    record Message(long channel, long id, long user, int version, String body) implements Row {}

    record Lookup(long id, long channel) implements Row {}

    record Account(long id, long credits) implements Row {}

    record Transfer(long account, long id, long to, long amount) implements Row {}

    /** Unique in its table over all shards. */
    long id();

    default ChatTable table() {
        return switch (this) {
            case Message _ -> ChatTable.MESSAGES;
            case Lookup _ -> ChatTable.MESSAGE_LOOKUP;
            case Account _ -> ChatTable.ACCOUNTS;
            case Transfer _ -> ChatTable.TRANSFERS;
        };
    }

    default long shardKey() {
        return switch (this) {
            case Message message -> message.channel();
            case Lookup lookup -> lookup.id();
            case Account account -> account.id();
            case Transfer transfer -> transfer.account();
        };
    }

    /** The primary key in words, such as {@code channel_id=7, id=120}. */
    default String key() {
        return switch (this) {
            case Message message -> "channel_id=" + message.channel() + ", id=" + message.id();
            case Lookup lookup -> "message_id=" + lookup.id();
            case Account account -> "id=" + account.id();
            case Transfer transfer -> "account_id=" + transfer.account() + ", id=" + transfer.id();
        };
    }

    /** All columns in a fixed order, for {@link #read}. */
    static String selectAll(ChatTable table) {
        return switch (table) {
            case MESSAGES -> "SELECT channel_id, id, user_id, version, body FROM messages";
            case MESSAGE_LOOKUP -> "SELECT message_id, channel_id FROM message_lookup";
            case ACCOUNTS -> "SELECT id, credits FROM accounts";
            case TRANSFERS -> "SELECT account_id, id, to_account, amount FROM transfers";
        };
    }

    static Row read(ChatTable table, ResultSet at) throws SQLException {
        return switch (table) {
            case MESSAGES -> new Message(at.getLong(1), at.getLong(2), at.getLong(3), at.getInt(4), at.getString(5));
            case MESSAGE_LOOKUP -> new Lookup(at.getLong(1), at.getLong(2));
            case ACCOUNTS -> new Account(at.getLong(1), at.getLong(2));
            case TRANSFERS -> new Transfer(at.getLong(1), at.getLong(2), at.getLong(3), at.getLong(4));
        };
    }
}
