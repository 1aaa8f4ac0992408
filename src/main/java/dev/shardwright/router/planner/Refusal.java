package dev.shardwright.router.planner;

/** Thrown while planning: the statement gets this error. The catalogue of the planner's errors is the methods here. */
final class Refusal extends RuntimeException {
    private final Plan.Refused plan;

    private Refusal(int errno, String sqlState, String message) {
        super(message, null, false, false);
        this.plan = new Plan.Refused(errno, sqlState, message);
    }

    Plan.Refused plan() {
        return plan;
    }

    /** {@code what} names the construct; {@code instead} says what to do. */
    static Refusal unsupported(String what, String instead) {
        return new Refusal(1235, "42000", "Not supported on a keyspace of several shards: " + what + "; " + instead);
    }

    static Refusal syntax(String where) {
        return new Refusal(
                1064,
                "42000",
                "You have an error in your SQL syntax, or use syntax that the router does not know: " + where);
    }

    static Refusal tooLong(int size, int largest) {
        return unsupported(
                "a statement with " + size + " bytes beside its values, where this router's memory is enough for "
                        + largest,
                "split it, or give routers more memory");
    }

    static Refusal fileOfServer() {
        return new Refusal(
                1235,
                "42000",
                "LOAD DATA without LOCAL is not supported: it would read a file of the database server; use LOAD DATA"
                        + " LOCAL INFILE, which reads the client's");
    }

    static Refusal noDatabase() {
        return new Refusal(1046, "3D000", "No database selected: USE the keyspace's name first");
    }

    static Refusal otherDatabase(String database, String keyspace) {
        return new Refusal(
                1044,
                "42000",
                "The database '" + database + "' can't be reached through the router: only the keyspace '" + keyspace
                        + "' and information_schema can");
    }

    static Refusal shardKeyMissing(String table, String column) {
        return new Refusal(
                1364,
                "HY000",
                "INSERT into the sharded table '" + table + "' without its shard key: name the column '" + column
                        + "' and give it a literal or a parameter");
    }

    static Refusal unlistedTable(String table) {
        return new Refusal(
                1146,
                "42S02",
                "Table '" + table + "' is not in the keyspace's vschema: list it there, or set unlistedTables to"
                        + " FirstShard");
    }
}
