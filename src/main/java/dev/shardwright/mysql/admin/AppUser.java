package dev.shardwright.mysql.admin;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * An application's user: privileges on the keyspace's database and nothing else, so that the fence
 * (offline_mode, super_read_only) always holds it.
 *
 * @param privileges such as {@code ALL} or {@code SELECT}; only those that MySQL grants on a database
 */
public record AppUser(String name, String password, List<String> privileges) {
    private static final int LONGEST_NAME = 32;
    private static final Set<String> RESERVED =
            Set.of("root", "mysql.sys", "mysql.session", "mysql.infoschema", MysqlAccount.OPERATOR, MysqlAccount.MOVER);
    private static final Set<String> GRANTABLE = Set.of(
            "ALL",
            "SELECT",
            "INSERT",
            "UPDATE",
            "DELETE",
            "CREATE",
            "ALTER",
            "DROP",
            "INDEX",
            "REFERENCES",
            "CREATE VIEW",
            "SHOW VIEW",
            "TRIGGER",
            "EXECUTE",
            "CREATE ROUTINE",
            "ALTER ROUTINE",
            "EVENT",
            "LOCK TABLES",
            "CREATE TEMPORARY TABLES");

    /** IllegalArgumentException says what is wrong and how to write it. */
    public AppUser {
        privileges = privileges.stream()
                .map(privilege -> privilege.toUpperCase(Locale.ROOT))
                .distinct()
                .toList();
        checkName(name);
        checkPassword(name, password);
        checkPrivileges(name, privileges);
        if (privileges.contains("ALL") || privileges.size() == GRANTABLE.size() - 1) {
            privileges = List.of("ALL");
        }
    }

    private static void checkName(String name) {
        if (name.isBlank() || name.length() > LONGEST_NAME || hasControlCharacter(name)) {
            throw new IllegalArgumentException("user name '" + name
                    + "' is not usable: MySQL takes 1 to 32 characters, none of them a control character");
        }
        if (RESERVED.contains(name)) {
            throw new IllegalArgumentException("user name '" + name + "' is reserved: choose another name");
        }
    }

    private static void checkPassword(String name, String password) {
        if (password.isEmpty()) {
            throw new IllegalArgumentException("the password of user '" + name + "' is empty: put one into its Secret");
        }
        if (hasControlCharacter(password)) {
            throw new IllegalArgumentException("the password of user '" + name
                    + "' has a line break or another control character (often the line end of the file that the Secret"
                    + " was made from): write the Secret without it");
        }
    }

    private static void checkPrivileges(String name, List<String> privileges) {
        if (privileges.isEmpty()) {
            throw new IllegalArgumentException("user '" + name + "' has no privileges: list some, or ALL");
        }
        for (var privilege : privileges) {
            if (!GRANTABLE.contains(privilege)) {
                throw new IllegalArgumentException("privilege '" + privilege + "' of user '" + name
                        + "' can't be granted on a keyspace; these can: "
                        + String.join(", ", GRANTABLE.stream().sorted().toList()));
            }
        }
    }

    private static boolean hasControlCharacter(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    @Override
    public String toString() {
        return name;
    }
}
