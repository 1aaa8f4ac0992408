package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a keyspace should be. Null or absent fields get the defaults that the schema tells. */
public record KeyspaceSpec(
        @JsonPropertyDescription("The key ranges of the first shards, in order, covering the whole key space;"
                + " \"-\" alone is one shard. Used once: later shards come from ReshardWorkflows.")
        @Default("[\"-\"]")
        @Size(min = 1, max = 1024)
        @ValidationRule(value = "self == oldSelf", message = INITIAL_SHARDS_FIXED)
        @ValidationRule(value = KeyRangeRules.IN_ORDER, message = RANGES_HAVE_GAPS)
        @ValidationRule(
                value = "self.size() == 0 || (self[0].startsWith('-') && self[self.size() - 1].endsWith('-'))",
                message = RANGES_DO_NOT_COVER)
        @ValidationRule(value = KeyRangeRules.NOT_EMPTY, message = KeyRangeRules.EMPTY)
        @ValidationRule(value = KeyRangeRules.NO_TRAILING_ZERO, message = KeyRangeRules.TRAILING_ZERO)
        List<@Pattern(KeyRangeRules.PATTERN) @Size(max = 17) String> initialShards,

        @JsonPropertyDescription("The MySQL servers of the shards.") @Default("{}")
        MysqlSpec mysql,

        @JsonPropertyDescription("The routers that applications connect to.") @Default("{}")
        RouterSpec router,

        @JsonPropertyDescription("What a transaction over several shards gets: Atomic (all or nothing), or Single"
                + " (such a transaction is refused).")
        @Default("Atomic")
        TransactionMode transactionMode,

        @JsonPropertyDescription(
                "What becomes of the data volumes when the keyspace or a shard of it goes away:" + " Retain or Delete.")
        @Default("Retain")
        DeletionPolicy deletionPolicy,

        @JsonPropertyDescription("The applications' accounts, on every shard and at the routers.")
        @Default("[{\"name\": \"app\"}]")
        @Size(min = 1, max = 50)
        List<UserSpec> users,

        @JsonPropertyDescription("How tables are spread over the shards.") @Default("{}")
        VSchema vschema) {

    static final String INITIAL_SHARDS_FIXED =
            "initialShards is fixed once the keyspace exists: split or merge shards with a ReshardWorkflow instead";
    static final String RANGES_HAVE_GAPS = "initialShards has a gap, an overlap or a wrong order: each range must begin"
            + " where the one before it ends, as in [\"-40\", \"40-80\", \"80-\"]";
    static final String RANGES_DO_NOT_COVER =
            "initialShards must cover the whole key space: the first range begins with"
                    + " '-' and the last one ends with '-', as in [\"-80\", \"80-\"]";

    public KeyspaceSpec {
        initialShards = initialShards == null || initialShards.isEmpty() ? List.of("-") : List.copyOf(initialShards);
        mysql = mysql == null ? MysqlSpec.DEFAULT : mysql;
        router = router == null ? RouterSpec.DEFAULT : router;
        transactionMode = transactionMode == null ? TransactionMode.Atomic : transactionMode;
        deletionPolicy = deletionPolicy == null ? DeletionPolicy.Retain : deletionPolicy;
        users = users == null || users.isEmpty() ? List.of(UserSpec.APP) : List.copyOf(users);
        vschema = vschema == null ? new VSchema(VSchema.UnlistedTables.FirstShard, List.of(), List.of()) : vschema;
    }

    /** The same without TLS between routers and servers. */
    public KeyspaceSpec withoutServerTls() {
        return new KeyspaceSpec(
                initialShards, mysql.withoutTls(), router, transactionMode, deletionPolicy, users, vschema);
    }

    /** What a transaction over several shards gets. */
    public enum TransactionMode {
        Atomic,
        Single
    }

    /** What becomes of the data volumes. */
    public enum DeletionPolicy {
        Retain,
        Delete
    }

    /**
     * An application's account.
     *
     * @param passwordSecret null: the operator makes the Secret {@code <keyspace>-<name>} with a password
     */
    @ValidationRule(
            value = "has(self.passwordSecret) || self.name.matches('^[a-z]([a-z0-9-]*[a-z0-9])?$')",
            message = "give this user a passwordSecret: one can be generated only for names of a-z, 0-9 and '-',"
                    + " because the name becomes part of the Secret's name")
    public record UserSpec(
            @JsonPropertyDescription("The account's name.")
            @io.fabric8.generator.annotation.Required
            @Size(max = 32)
            @Pattern("^[A-Za-z][A-Za-z0-9_-]*$")
            @ValidationRule(
                    value = "!(self in ['root', 'mysql', 'router-users']) && !self.startsWith('shardwright') &&"
                            + " !self.startsWith('mysql-')",
                    message = "this user name is reserved for MySQL or the operator: choose another")
            String name,

            @JsonPropertyDescription("The Secret and key that hold the password. Without it the operator generates one"
                    + " in the Secret <keyspace>-<name>, key password.")
            @Nullable
            SecretKey passwordSecret,

            @JsonPropertyDescription("Privileges on the keyspace's database, such as SELECT, or ALL.")
            @Default("[\"ALL\"]")
            @Size(min = 1, max = 20)
            @ValidationRule(value = PRIVILEGES_RULE, message = PRIVILEGES_MESSAGE)
            List<@Size(max = 32) String> privileges) {

        static final String PRIVILEGES_RULE = "self.all(p, p in ['ALL', 'SELECT', 'INSERT', 'UPDATE', 'DELETE',"
                + " 'CREATE', 'DROP', 'ALTER', 'INDEX', 'REFERENCES', 'CREATE TEMPORARY TABLES', 'LOCK TABLES',"
                + " 'EXECUTE', 'CREATE VIEW', 'SHOW VIEW', 'CREATE ROUTINE', 'ALTER ROUTINE', 'EVENT', 'TRIGGER'])";
        static final String PRIVILEGES_MESSAGE = "privileges must be ALL, or some of SELECT, INSERT, UPDATE, DELETE,"
                + " CREATE, DROP, ALTER, INDEX, REFERENCES, CREATE TEMPORARY TABLES, LOCK TABLES, EXECUTE, CREATE VIEW,"
                + " SHOW VIEW, CREATE ROUTINE, ALTER ROUTINE, EVENT, TRIGGER, in capitals";

        public static final UserSpec APP = new UserSpec("app", null, List.of("ALL"));

        public UserSpec {
            privileges = privileges == null || privileges.isEmpty() ? List.of("ALL") : List.copyOf(privileges);
        }
    }

    /** A key in a Secret of the keyspace's namespace. */
    public record SecretKey(
            @JsonPropertyDescription("The Secret's name, in the keyspace's namespace.")
            @io.fabric8.generator.annotation.Required
            @Size(min = 1, max = 253)
            String name,

            @JsonPropertyDescription("The key in the Secret.") @Default("password") @Size(min = 1, max = 253)
            String key) {
        public SecretKey {
            key = key == null ? "password" : key;
        }
    }
}
