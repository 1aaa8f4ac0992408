package dev.shardwright.router;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Two clients that say the same: one to the router, one to plain MySQL. */
final class TwinSession implements AutoCloseable {
    /** The router does not prepare these. */
    private static final Pattern CONTROL =
            Pattern.compile("^(SET|BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SHOW) ?");

    private final Connection router;
    private final Connection plain;
    private String sqlMode = "";
    private boolean prepared;
    private boolean inTransaction;
    private boolean manual;
    private boolean refused;
    private boolean failed;

    TwinSession(Connection router, Connection plain) {
        this.router = router;
        this.plain = plain;
    }

    TwinSession prepared() {
        prepared = true;
        return this;
    }

    RandomValues values(Random random) {
        return new RandomValues(random, prepared, sqlMode);
    }

    boolean inTransaction() {
        return inTransaction;
    }

    /** The router refused the last statement. */
    boolean refused() {
        return refused;
    }

    /** The last statement ended in an error. */
    boolean failed() {
        return failed;
    }

    /** Null when both answer alike, or the router refuses; what it refuses plain MySQL is not told. */
    @Nullable
    String differs(RandomStatement statement) throws SQLException {
        var merged = answer(router, statement);
        refused = merged.refused();
        if (refused) {
            return null;
        }
        var expected = answer(plain, statement);
        failed = !expected.message().isEmpty();
        var what = merged.differs(expected, statement.order());
        return what == null
                ? null
                : what + " (" + (prepared ? "prepared, " : "") + sqlMode + ")\n  router: " + merged + "\n  MySQL:  "
                        + expected;
    }

    /** A statement that is prepared, run, and run again after another one. */
    @Nullable
    String differsAfter(String sql, String between) throws SQLException {
        try (var here = router.prepareStatement(sql);
                var there = plain.prepareStatement(sql)) {
            here.execute();
            there.execute();
            differs(between);
            var merged = again(here);
            refused = merged.refused();
            return refused ? null : merged.differs(again(there), RandomStatement.Order.ANY);
        }
    }

    private static TwinAnswer again(java.sql.PreparedStatement statement) throws SQLException {
        try {
            return TwinAnswer.of(statement, statement.execute());
        } catch (SQLException e) {
            return TwinAnswer.failed(e);
        }
    }

    /** A statement without parameters. */
    @Nullable
    String differs(String sql) throws SQLException {
        return differs(new RandomStatement(sql, java.util.List.of(), RandomStatement.Order.FIXED));
    }

    private TwinAnswer answer(Connection connection, RandomStatement of) throws SQLException {
        try {
            if (!prepared || CONTROL.matcher(of.sql()).find()) {
                try (var statement = connection.createStatement()) {
                    statement.setEscapeProcessing(false);
                    return TwinAnswer.of(statement, statement.execute(of.sql()));
                }
            }
            try (var statement = connection.prepareStatement(of.sql())) {
                for (var i = 0; i < of.parameters().size(); i++) {
                    statement.setObject(i + 1, of.parameters().get(i));
                }
                return TwinAnswer.of(statement, statement.execute());
            }
        } catch (SQLException e) {
            return TwinAnswer.failed(e);
        }
    }

    @Nullable
    String setSqlMode(String mode) throws SQLException {
        sqlMode = mode;
        return differs("SET " + "sql_mode = '" + mode + "'");
    }

    @Nullable
    String begin(String sql) throws SQLException {
        inTransaction = true;
        manual = sql.startsWith("SET");
        return differs(sql);
    }

    @Nullable
    String end(String sql) throws SQLException {
        inTransaction = false;
        var difference = differs(sql);
        return manual && difference == null ? differs("SET autocommit = 1") : difference;
    }

    @Override
    public void close() throws SQLException {
        router.close();
        plain.close();
    }
}
