package dev.shardwright.local.workload;

import java.util.List;

/** The tables of the chat: how they are made and which column decides where a row lives. */
public enum ChatTable {
    MESSAGES("channel_id", """
            CREATE TABLE IF NOT EXISTS messages (
              channel_id BIGINT NOT NULL, id BIGINT NOT NULL, user_id BIGINT NOT NULL,
              version INT NOT NULL, body VARCHAR(500) NOT NULL,
              PRIMARY KEY (channel_id, id), KEY by_user (user_id))"""),
    MESSAGE_LOOKUP("message_id", """
            CREATE TABLE IF NOT EXISTS message_lookup (
              message_id BIGINT NOT NULL, channel_id BIGINT NOT NULL, PRIMARY KEY (message_id))"""),
    ACCOUNTS("id", """
            CREATE TABLE IF NOT EXISTS accounts (
              id BIGINT NOT NULL, credits BIGINT NOT NULL, PRIMARY KEY (id))"""),
    /** One row for each transfer, in the transaction that moves the credits: it proves that all or nothing happened. */
    TRANSFERS("account_id", """
            CREATE TABLE IF NOT EXISTS transfers (
              account_id BIGINT NOT NULL, id BIGINT NOT NULL, to_account BIGINT NOT NULL, amount BIGINT NOT NULL,
              PRIMARY KEY (account_id, id))""");

    private final String shardKey;
    private final String ddl;

    ChatTable(String shardKey, String ddl) {
        this.shardKey = shardKey;
        this.ddl = ddl;
    }

    public String tableName() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The column of the primary vindex, a BIGINT. */
    public String shardKey() {
        return shardKey;
    }

    public String ddl() {
        return ddl;
    }

    public static List<ChatTable> all() {
        return List.of(values());
    }
}
