package dev.shardwright.mysql.admin;

import java.util.ArrayList;
import java.util.List;

/**
 * What is on a new server before anybody can connect: databases, accounts with least privilege, our own
 * tables, the identity, and (for a shard that is not to serve yet) the fence. Runs inside {@code mysqld
 * --initialize-insecure --init-file}, so none of it is in the binary log and a failure leaves no data directory.
 *
 * @param fenced born with offline_mode and read_only on, persisted: only accounts with CONNECTION_ADMIN
 *     can connect and write
 * @param more further statements, run last; for tests
 */
public record Bootstrap(
        String keyspace,
        MysqlAccount operator,
        MysqlAccount mover,
        List<AppUser> users,
        boolean fenced,
        List<String> more) {

    public Bootstrap {
        users = List.copyOf(users);
        more = List.copyOf(more);
        if (!keyspace.matches("[a-z]([-a-z0-9]{0,24}[a-z0-9])?")) {
            throw new IllegalArgumentException(
                    "keyspace name '" + keyspace + "' is not usable: write 1 to 26 lower-case"
                            + " letters, digits and dashes, beginning with a letter and not ending with a dash");
        }
    }

    public Bootstrap(String keyspace, MysqlAccount operator, MysqlAccount mover, List<AppUser> users, boolean fenced) {
        this(keyspace, operator, mover, users, fenced, List.of());
    }

    /** The whole file for one shard's server; it holds passwords, so it belongs into a Secret. */
    public String sql(Identity identity) {
        var statements = new ArrayList<>(common());
        statements.add(identity.insert());
        statements.addAll(last());
        return join(statements);
    }

    /** All but the identity: the same for every server of the keyspace. */
    public String templateSql() {
        var statements = new ArrayList<>(common());
        statements.addAll(last());
        return join(statements);
    }

    /** The init file for the first start of a copy of the template. */
    public static String identitySql(Identity identity) {
        return join(List.of(
                "SET SESSION sql_mode = 'STRICT_ALL_TABLES'", "SET SESSION sql_log_bin = 0", identity.insert()));
    }

    private List<String> common() {
        var statements = new ArrayList<String>();
        // Whatever sql_mode the server is configured with, the literals below mean what they say.
        statements.add("SET SESSION sql_mode = 'STRICT_ALL_TABLES'");
        statements.add("CREATE DATABASE " + SqlText.name(keyspace));
        statements.addAll(ownTables());
        statements.addAll(operatorAccount());
        statements.addAll(moverAccount());
        users.forEach(user -> statements.addAll(Users.creation(keyspace, user)));
        statements.add("ALTER USER 'root'@'localhost' ACCOUNT LOCK");
        return statements;
    }

    private static List<String> ownTables() {
        return List.of(
                "CREATE DATABASE `_shardwright` CHARACTER SET utf8mb4",
                "CREATE TABLE `_shardwright`.identity (keyspace VARCHAR(64) CHARACTER SET ascii NOT NULL,"
                        + " shard_uid VARCHAR(64) CHARACTER SET ascii NOT NULL,"
                        + " key_range VARCHAR(32) CHARACTER SET ascii NOT NULL,"
                        + " PRIMARY KEY (keyspace)) ENGINE = InnoDB",
                "CREATE TABLE `_shardwright`.fencing (workflow_uid VARCHAR(64) CHARACTER SET ascii NOT NULL,"
                        + " token BIGINT NOT NULL, PRIMARY KEY (workflow_uid)) ENGINE = InnoDB");
    }

    private List<String> operatorAccount() {
        var account = SqlText.account(operator.user());
        return List.of(
                create(operator),
                // CONNECTION_ADMIN: gets in under offline_mode, writes under read_only, ends other sessions.
                "GRANT PROCESS, RELOAD, CREATE USER, SHOW DATABASES, REPLICATION CLIENT ON *.* TO " + account,
                "GRANT CONNECTION_ADMIN, SYSTEM_VARIABLES_ADMIN, XA_RECOVER_ADMIN ON *.* TO " + account,
                // For views, routines and the like, which it copies with their definers.
                "GRANT SET_ANY_DEFINER, ALLOW_NONEXISTENT_DEFINER, SHOW_ROUTINE ON *.* TO " + account,
                "GRANT SELECT ON `mysql`.* TO " + account,
                "GRANT SELECT ON `performance\\_schema`.* TO " + account,
                "GRANT ALL ON " + SqlText.grantedDatabase(keyspace) + ".* TO " + account + " WITH GRANT OPTION",
                "GRANT ALL ON `\\_shardwright`.* TO " + account);
    }

    private List<String> moverAccount() {
        var account = SqlText.account(mover.user());
        var onTables = "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES, LOCK TABLES,"
                + " SHOW VIEW, CREATE VIEW, TRIGGER, EVENT, CREATE ROUTINE, ALTER ROUTINE, EXECUTE ON ";
        return List.of(
                create(mover),
                "GRANT PROCESS, RELOAD, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO " + account,
                // SESSION_VARIABLES_ADMIN: foreign_key_checks, sql_log_bin and the like in its own sessions.
                "GRANT CONNECTION_ADMIN, SESSION_VARIABLES_ADMIN, XA_RECOVER_ADMIN, SHOW_ROUTINE ON *.* TO " + account,
                "GRANT SELECT ON `performance\\_schema`.* TO " + account,
                onTables + SqlText.grantedDatabase(keyspace) + ".* TO " + account,
                onTables + "`\\_shardwright`.* TO " + account);
    }

    private static String create(MysqlAccount account) {
        return "CREATE USER " + SqlText.account(account.user()) + " IDENTIFIED WITH caching_sha2_password BY "
                + SqlText.string(account.password());
    }

    private List<String> last() {
        var statements = new ArrayList<>(more);
        if (fenced) {
            // Persisted here, they hold from the first start on and are lifted by SET PERSIST like any later fence.
            statements.add("SET PERSIST offline_mode = ON");
            statements.add("SET PERSIST read_only = ON");
        }
        return statements;
    }

    private static String join(List<String> statements) {
        return String.join(";\n", statements) + ";\n";
    }
}
