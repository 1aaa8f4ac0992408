package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.router.ConnectorChecks.Told;
import dev.shardwright.testing.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Connector/J is told the same by the router before a keyspace of one shard as by that shard's server itself. */
class ConnectorJIT {
    /** The ways in which the driver can be told to speak. */
    private static final List<String> MODES = List.of(
            "",
            "useServerPrepStmts=true",
            "useServerPrepStmts=true&useCursorFetch=true&defaultFetchSize=1",
            "rewriteBatchedStatements=true",
            "rewriteBatchedStatements=true&useServerPrepStmts=true&cachePrepStmts=true",
            "useCompression=true",
            "useInformationSchema=true&nullDatabaseMeansCurrent=true&useAffectedRows=true",
            "connectionTimeZone=-05:00&forceConnectionTimeZoneToSession=true&preserveInstants=true",
            "characterEncoding=latin1&connectionCollation=latin1_german1_ci",
            "sessionVariables=sql_mode='ANSI_QUOTES'&jdbcCompliantTruncation=false&yearIsDateType=false&tinyInt1isBit=false");

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        keyspace = TestKeyspace.of("-");
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    private interface Check {
        void run(Connection connection, Told told) throws SQLException;
    }

    @TestFactory
    Stream<DynamicTest> everyType() {
        return inEveryMode(ConnectorChecks::everyType);
    }

    @TestFactory
    Stream<DynamicTest> valuesThatWereSet() {
        return inEveryMode(ConnectorChecks::valuesThatWereSet);
    }

    @TestFactory
    Stream<DynamicTest> batches() {
        return inEveryMode(ConnectorChecks::batches);
    }

    @Test
    void preparingDdlWasRefused() throws SQLException {
        var mode = "useServerPrepStmts=true&emulateUnsupportedPstmts=false";
        Check prepared = (connection, told) -> {
            for (var sql : List.of(
                    "CREATE TABLE made (id INT PRIMARY KEY)",
                    "ALTER TABLE made ADD v VARCHAR(9)",
                    "CREATE VIEW seen AS SELECT * FROM made",
                    "DROP VIEW seen",
                    "TRUNCATE TABLE made",
                    "RENAME TABLE made TO remade",
                    "DROP TABLE remade, remade")) {
                try (var statement = connection.prepareStatement(sql)) {
                    told.note(sql + " " + statement.executeUpdate());
                }
            }
        };
        var plain = told(keyspace.server(0).port(), mode, prepared);
        told(keyspace.server(0).port(), mode, (connection, told) -> told.update(connection, "DROP TABLE remade"));
        assertThat(plain).hasSize(7).last().asString().contains("1066");
        assertThat(told(keyspace.port(), mode, prepared)).isEqualTo(plain);
    }

    @TestFactory
    Stream<DynamicTest> generatedKeysAndCounts() {
        return inEveryMode(ConnectorChecks::generatedKeysAndCounts);
    }

    @TestFactory
    Stream<DynamicTest> warningsAndErrors() {
        return inEveryMode(ConnectorChecks::warningsAndErrors);
    }

    @TestFactory
    Stream<DynamicTest> procedures() {
        return inEveryMode(ConnectorChecks::procedures);
    }

    @TestFactory
    Stream<DynamicTest> streaming() {
        return inEveryMode(ConnectorChecks::streaming);
    }

    @TestFactory
    Stream<DynamicTest> transactions() {
        return inEveryMode(ConnectorChecks::transactions);
    }

    @TestFactory
    Stream<DynamicTest> metadata() {
        return inEveryMode(ConnectorChecks::metadata);
    }

    @Test
    void preparingSetWasRefused() throws SQLException {
        Check prepared = (connection, told) -> {
            try (var statement = connection.prepareStatement("SET @a = 5, SESSION sort_buffer_size = 123456")) {
                told.note("set " + statement.executeUpdate());
                told.update(connection, "SET sort_buffer_size = 234567");
                told.note("set " + statement.executeUpdate());
            }
            told.query(connection, "SELECT @a, @@sort_buffer_size");
        };
        var mode = "useServerPrepStmts=true&emulateUnsupportedPstmts=false";
        assertThat(told(keyspace.port(), mode, prepared))
                .contains("@@sort_buffer_size = BigInteger 123456 = 123456")
                .isEqualTo(told(keyspace.server(0).port(), mode, prepared));
    }

    private static Stream<DynamicTest> inEveryMode(Check check) {
        return MODES.stream()
                .map(mode -> DynamicTest.dynamicTest(mode.isEmpty() ? "as it comes" : mode, () -> {
                    var plain = told(keyspace.server(0).port(), mode, check);
                    var routed = told(keyspace.port(), mode, check);
                    assertThat(plain).isNotEmpty();
                    assertThat(differences(plain, routed)).isEmpty();
                }));
    }

    /** Few, as what follows a first difference seldom says more. */
    private static List<String> differences(List<String> plain, List<String> routed) {
        return IntStream.range(0, Math.max(plain.size(), routed.size()))
                .filter(i -> !at(plain, i).equals(at(routed, i)))
                .limit(5)
                .mapToObj(i -> i + ": MySQL says <" + at(plain, i) + ">, the router <" + at(routed, i) + ">")
                .toList();
    }

    private static String at(List<String> told, int index) {
        return index < told.size() ? told.get(index) : "nothing more";
    }

    /** An error that ends a check is told like all else. */
    private static List<String> told(int port, String mode, Check check) throws SQLException {
        var told = new Told();
        var url =
                "jdbc:mysql://127.0.0.1:" + port + "/" + TestServers.KEYSPACE + "?allowPublicKeyRetrieval=true&" + mode;
        try (var connection = DriverManager.getConnection(url, TestServers.APP.user(), TestServers.APP.password())) {
            try {
                check.run(connection, told);
            } catch (SQLException e) {
                told.note("ends with " + e.getErrorCode() + " " + e.getSQLState() + " " + e.getMessage());
            }
        }
        return told.notes();
    }
}
