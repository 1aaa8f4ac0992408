package dev.shardwright.mysql.admin;

/** An account on our MySQL servers. */
public record MysqlAccount(String user, String password) {
    /** The operator's (and the workflow engine's) account on every server. */
    public static final String OPERATOR = "shardwright_operator";
    /** The movers' account on every server. */
    public static final String MOVER = "shardwright_mover";

    @Override
    public String toString() {
        return user;
    }
}
