package dev.shardwright.router.planner;

import dev.shardwright.router.planner.parse.ParsedStatement;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleStatementContext;
import java.util.Set;

/** One statement being planned: what all the planners of statement kinds need. */
record Planning(PlanningSchema schema, StatementContext context, ParsedStatement parsed, Features features) {

    static final Set<String> NO_NAMES = Set.of();

    Operands operands() {
        return new Operands(parsed);
    }

    TableUses newUses() {
        return new TableUses(schema, context.database());
    }

    /** How the fence treats a SELECT. */
    Plan.Access readAccess() {
        return features.locking || features.into || features.callsUnknownFunction() || features.changesSession()
                ? Plan.Access.LOCKING_READ
                : Plan.Access.READ;
    }

    /** Refuses what can't be right in any statement that touches data on a keyspace of several shards. */
    void checkForSeveralShards() {
        if (features.userVariableAssigned) {
            throw Refusal.unsupported("assigning a user variable in a statement", "use SET @name = value");
        }
        if (features.takesLock()) {
            throw Refusal.unsupported("GET_LOCK and its kin", "lock a row with SELECT ... FOR UPDATE instead");
        }
        if (features.calcFoundRows) {
            throw Refusal.unsupported("SQL_CALC_FOUND_ROWS", "run SELECT COUNT(*) as a statement of its own");
        }
        if (features.into) {
            throw Refusal.unsupported("SELECT ... INTO", "read the rows and write them in the client");
        }
    }

    /** Refuses functions that answer for the session's previous statement where a table decides the shard. */
    void checkNotAboutLastStatement() {
        if (features.aboutLastStatement()) {
            throw Refusal.unsupported(
                    "LAST_INSERT_ID(), ROW_COUNT() or FOUND_ROWS() beside a table",
                    "read it with a SELECT of its own first");
        }
    }

    static SimpleStatementContext statementOf(ParsedStatement parsed) {
        return parsed.tree().simpleStatement();
    }
}
