package dev.shardwright.mysql.admin;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The application users of a keyspace on one server, through an operator's connection. Account
 * statements stay out of the binary log: every server gets them directly, and a mover must not meet them.
 */
public final class Users {
    private static final String SYSTEM_ACCOUNTS = "'mysql.sys', 'mysql.session', 'mysql.infoschema', 'root', '"
            + MysqlAccount.OPERATOR + "', '" + MysqlAccount.MOVER + "'";

    /** Begins what takes roles back; what takes privileges back begins with REVOKE ALL. */
    private static final String REVOKE_ROLE = "REVOKE `";

    private static final int ACCESS_DENIED = 1227;

    /** Routers learn of a new password by a mounted Secret, which takes a minute or two. */
    private static final Duration BOTH_PASSWORDS = Duration.ofMinutes(10);

    private final Connection connection;
    private final String keyspace;
    private final Duration bothPasswords;

    public Users(Connection connection, String keyspace) {
        this(connection, keyspace, BOTH_PASSWORDS);
    }

    /** @param bothPasswords how long the server takes an earlier password after a change */
    public Users(Connection connection, String keyspace, Duration bothPasswords) {
        this.connection = connection;
        this.keyspace = keyspace;
        this.bothPasswords = bothPasswords;
    }

    /**
     * Makes sure that the user exists with this password and exactly these privileges; true if anything was changed. A
     * changed password is taken beside the earlier one, until this is called again some minutes later. Fails with errno
     * 1227, and the statement to be run, when it may not take back a role.
     */
    public boolean ensure(AppUser user) throws SQLException {
        var tag = PasswordTag.of(keyspace, user);
        var known = tagOf(user.name());
        var changes = new ArrayList<String>();
        if (known.isEmpty()) {
            changes.add(create(user));
        }
        if (!known.orElse("").equals(tag)) {
            changes.add(alter(
                    user,
                    hasPassword(user.name()) ? " RETAIN CURRENT PASSWORD" : "",
                    PasswordTag.attribute(tag, Instant.now())));
        } else if (hasEarlierPasswordForTooLong(user.name())) {
            changes.add("ALTER USER " + SqlText.account(user.name()) + " DISCARD OLD PASSWORD");
        }
        if (known.isEmpty() || !privileges(user.name()).equals(wanted(user))) {
            changes.addAll(rolesRevoked(user.name()));
            changes.add("REVOKE ALL PRIVILEGES, GRANT OPTION FROM " + SqlText.account(user.name()));
            changes.add(grant(keyspace, user));
        }
        run(changes);
        return !changes.isEmpty();
    }

    /** Removes the user and ends its right to log in; sessions that it has open go on. */
    public void drop(String user) throws SQLException {
        run(List.of("DROP USER IF EXISTS " + SqlText.account(user)));
    }

    /**
     * How the accounts and grants of another server differ from this one's, in words for a DBA; empty when they
     * are the same. Our own accounts and MySQL's are left out.
     */
    public List<String> differences(Users other) throws SQLException {
        return accounts().differences(other.accounts());
    }

    private static List<String> differences(Map<String, Account> here, Map<String, Account> there) {
        var all = new TreeSet<>(here.keySet());
        all.addAll(there.keySet());
        var differences = new ArrayList<String>();
        for (var account : all) {
            var mine = here.get(account);
            var its = there.get(account);
            if (its == null) {
                differences.add("user " + account + " is missing on the other server");
            } else if (mine == null) {
                differences.add("user " + account + " is only on the other server");
            } else if (!mine.equals(its)) {
                differences.add(
                        "user " + account + " differs: " + mine.describe() + " here, " + its.describe() + " there");
            }
        }
        return differences;
    }

    static List<String> creation(String keyspace, AppUser user) {
        // No moment in it: a server's first password replaces none, and the text must be the same each time it is made.
        var attribute = PasswordTag.attribute(PasswordTag.of(keyspace, user));
        return List.of(create(user), alter(user, "", attribute), grant(keyspace, user));
    }

    private static String create(AppUser user) {
        // IF NOT EXISTS: an account that somebody made by hand is taken over by the ALTER that follows.
        return "CREATE USER IF NOT EXISTS " + SqlText.account(user.name())
                + " IDENTIFIED WITH caching_sha2_password BY " + SqlText.string(user.password());
    }

    private static String alter(AppUser user, String retain, String attribute) {
        return "ALTER USER " + SqlText.account(user.name()) + " IDENTIFIED WITH caching_sha2_password BY "
                + SqlText.string(user.password()) + retain + " ATTRIBUTE "
                + SqlText.string(attribute);
    }

    /** Whether it has one that the server can go on to take. */
    private boolean hasPassword(String user) throws SQLException {
        return isSo(user, "plugin = 'caching_sha2_password' AND authentication_string <> ''");
    }

    private boolean hasEarlierPasswordForTooLong(String user) throws SQLException {
        long latest = Instant.now().minus(bothPasswords).getEpochSecond();
        return isSo(
                user,
                "user_attributes ->> '$.additional_password' IS NOT NULL AND COALESCE(user_attributes ->> '$.metadata."
                        + PasswordTag.SINCE + "', 0) <= " + latest);
    }

    private boolean isSo(String user, String condition) throws SQLException {
        try (var statement = connection.prepareStatement(
                "SELECT 1 FROM mysql.user WHERE user = ? AND host = '%' AND " + condition)) {
            statement.setString(1, user);
            try (var rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private static String grant(String keyspace, AppUser user) {
        return "GRANT " + String.join(", ", user.privileges()) + " ON " + SqlText.grantedDatabase(keyspace) + ".* TO "
                + SqlText.account(user.name());
    }

    private Optional<String> tagOf(String user) throws SQLException {
        try (var statement = connection.prepareStatement("SELECT COALESCE(attribute ->> '$." + PasswordTag.ATTRIBUTE
                + "', '-') FROM information_schema.user_attributes WHERE user = ? AND host = '%'")) {
            statement.setString(1, user);
            try (var rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
            }
        }
    }

    private Set<String> wanted(AppUser user) {
        var words = user.privileges().contains("ALL") ? List.of("ALL PRIVILEGES") : user.privileges();
        var result = new TreeSet<String>();
        words.forEach(word -> result.add(word + " ON " + SqlText.grantedDatabase(keyspace) + ".*"));
        result.add("USAGE ON *.*");
        return result;
    }

    /** Each privilege of the account with its object, as SHOW GRANTS tells. */
    private Set<String> privileges(String user) throws SQLException {
        var result = new TreeSet<String>();
        for (var line : grants(SqlText.account(user))) {
            var objectAt = line.indexOf(" ON ");
            if (!line.startsWith("GRANT ") || objectAt < 0) {
                result.add(line);
                continue;
            }
            var object = line.substring(objectAt, line.lastIndexOf(" TO "));
            for (var privilege : line.substring("GRANT ".length(), objectAt).split(", ", -1)) {
                result.add(privilege + object + (line.endsWith("WITH GRANT OPTION") ? " WITH GRANT OPTION" : ""));
            }
        }
        return result;
    }

    /** A role could carry privileges that no fence holds. */
    private List<String> rolesRevoked(String user) throws SQLException {
        return tagOf(user).isEmpty()
                ? List.of()
                : grants(SqlText.account(user)).stream()
                        .filter(line -> line.startsWith("GRANT ") && !line.contains(" ON "))
                        .map(line -> REVOKE_ROLE + line.substring("GRANT `".length(), line.lastIndexOf(" TO "))
                                + " FROM " + SqlText.account(user))
                        .toList();
    }

    private List<String> grants(String account) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SHOW GRANTS FOR " + account)) {
            var lines = new ArrayList<String>();
            while (rows.next()) {
                lines.add(rows.getString(1));
            }
            lines.sort(null);
            return lines;
        }
    }

    /** All accounts but our own and MySQL's, at one moment. Immutable. */
    public static final class Accounts {
        private final Map<String, Account> byName;

        private Accounts(Map<String, Account> byName) {
            this.byName = byName;
        }

        /** As {@link Users#differences(Users)}. */
        public List<String> differences(Accounts other) {
            return Users.differences(byName, other.byName);
        }
    }

    /** One statement for all, and one for each. */
    public Accounts accounts() throws SQLException {
        var result = new TreeMap<String, Account>();
        try (var statement = connection.createStatement();
                var rows =
                        statement.executeQuery("SELECT u.user, u.host, u.plugin, u.account_locked, u.password_expired,"
                                + " u.max_questions, u.max_updates, u.max_connections, u.max_user_connections, u.ssl_type,"
                                + " COALESCE(u.user_attributes ->> '$.metadata." + PasswordTag.ATTRIBUTE
                                + "', SHA2(u.authentication_string, 256))"
                                + " FROM mysql.user u WHERE u.user NOT IN (" + SYSTEM_ACCOUNTS + ")")) {
            while (rows.next()) {
                var account = SqlText.string(rows.getString(1)) + '@' + SqlText.string(rows.getString(2));
                var limits = new ArrayList<String>();
                for (int column = 4; column <= 10; column++) {
                    limits.add(rows.getString(column));
                }
                result.put(account, new Account(rows.getString(3), limits, rows.getString(11), List.of()));
            }
        }
        for (var entry : result.entrySet()) {
            entry.setValue(entry.getValue().with(grants(entry.getKey())));
        }
        return new Accounts(result);
    }

    private void run(List<String> changes) throws SQLException {
        if (changes.isEmpty()) {
            return;
        }
        try (var statement = connection.createStatement()) {
            statement.execute("SET SESSION sql_mode = 'STRICT_ALL_TABLES', sql_log_bin = 0");
            try {
                for (var change : changes) {
                    run(statement, change);
                }
            } finally {
                statement.execute("SET SESSION sql_mode = DEFAULT, sql_log_bin = 1");
            }
        }
    }

    /** The operator's account may grant no role, so it can take back only those that somebody let it administer. */
    private static void run(Statement statement, String change) throws SQLException {
        try {
            statement.execute(change);
        } catch (SQLException e) {
            if (e.getErrorCode() != ACCESS_DENIED || !change.startsWith(REVOKE_ROLE)) {
                throw e;
            }
            throw new SQLException(
                    "a role that was granted by hand could carry privileges that no fence holds, and the operator has no"
                            + " ROLE_ADMIN to take it back; run as an administrator: " + change,
                    e.getSQLState(),
                    e.getErrorCode(),
                    e);
        }
    }

    private record Account(String plugin, List<String> limits, String password, List<String> grants) {
        Account with(List<String> granted) {
            return new Account(plugin, limits, password, granted);
        }

        /** Without the password's hash. */
        String describe() {
            return plugin + " " + String.join(",", limits) + ", password " + password.substring(0, 4) + "..., "
                    + String.join("; ", grants);
        }
    }
}
