package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.JdbcStatement;
import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Named values beside a statement, as Connector/J and the mysql program send them; two servers read them. */
class QueryAttributesIT {
    private static final int ROWS = 20;
    private static final String TRACE = "mysql_query_attribute_string('trace')";

    private static TestKeyspace keyspace;

    @BeforeAll
    static void start() throws Exception {
        var column = new VSchema.ShardKeyColumn("id", "bigint", null);
        keyspace = TestKeyspace.of(
                new VSchema(
                        VSchema.UnlistedTables.FirstShard,
                        List.of(new VSchema.VindexSpec("by_id", "xxhash")),
                        List.of(new VSchema.TableSpec(
                                "notes", List.of(new VSchema.ColumnVindex(List.of(column), "by_id"))))),
                "-80",
                "80-");
        for (int server = 0; server < 2; server++) {
            installComponent(keyspace.server(server));
        }
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE notes (id BIGINT PRIMARY KEY, body VARCHAR(200))");
            for (int id = 1; id <= ROWS; id++) {
                attribute(statement, "trace", "insert " + id);
                statement.executeUpdate("INSERT INTO notes (id, body) VALUES (" + id + ", " + TRACE + ")");
                statement.unwrap(JdbcStatement.class).clearAttributes();
            }
        }
    }

    /** None of our accounts may do it, so the server itself does at its start. */
    private static void installComponent(LocalMysqld server) throws IOException {
        var statements = server.directory().resolve("first.sql");
        Files.writeString(statements, "INSTALL COMPONENT 'file://component_query_attributes';\n");
        server.restart();
        Files.delete(statements);
    }

    @AfterAll
    static void stop() throws Exception {
        keyspace.close();
    }

    @Test
    void everyShardGetsThoseOfAText() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            for (int id = 1; id <= ROWS; id++) {
                attribute(statement, "trace", "t" + id);
                attribute(statement, "number", id);
                assertThat(texts(statement.executeQuery("SELECT " + TRACE + ", body FROM notes WHERE id = " + id)))
                        .containsExactly("t" + id, "insert " + id);
                statement.unwrap(JdbcStatement.class).clearAttributes();
            }
            assertThat(texts(statement.executeQuery("SELECT " + TRACE)))
                    .as("they are for one statement")
                    .containsExactly((String) null);
        }
    }

    @Test
    void aTextMayBeRewrittenForSeveralShards() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            attribute(statement, "trace", "scan");
            assertThat(texts(statement.executeQuery("SELECT body FROM notes ORDER BY id LIMIT 2, 3")))
                    .containsExactly("insert 3", "insert 4", "insert 5");
            assertThat(texts(statement.executeQuery("SELECT COUNT(*) FROM notes")))
                    .containsExactly(Integer.toString(ROWS));
        }
    }

    @Test
    void transactionsAndVariablesGoOnBesideThem() throws SQLException {
        try (var connection = keyspace.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET @@sql_mode = 'ANSI_QUOTES'");
            attribute(statement, "trace", "changed");
            assertThat(statement.executeUpdate("UPDATE notes SET body = " + TRACE + " WHERE id = 7"))
                    .isOne();
            assertThat(texts(statement.executeQuery("SELECT body, @@sql_mode FROM notes WHERE id = 7")))
                    .containsExactly("changed", "ANSI_QUOTES");
            connection.rollback();
            assertThat(texts(statement.executeQuery("SELECT \"body\" FROM notes WHERE id = 7")))
                    .containsExactly("insert 7");
            connection.rollback();
        }
    }

    @Test
    void everyShardGetsThoseOfAnExecution() throws SQLException {
        try (var connection = prepared();
                var statement = connection.prepareStatement("SELECT body, " + TRACE + " FROM notes WHERE id = ?");
                var limited = connection.prepareStatement("SELECT body FROM notes ORDER BY id LIMIT ?");
                var none = connection.prepareStatement("SELECT " + TRACE)) {
            for (int id = 1; id <= ROWS; id++) {
                boolean traced = id % 3 != 0;
                assertThat(execute(statement, id, traced ? "p" + id : null))
                        .containsExactly("insert " + id, traced ? "p" + id : null);
            }
            attribute(limited, "trace", "limited");
            limited.setInt(1, 2);
            assertThat(texts(limited.executeQuery())).containsExactly("insert 1", "insert 2");
            attribute(none, "trace", "without parameters");
            assertThat(texts(none.executeQuery())).containsExactly("without parameters");
        }
    }

    private static List<String> execute(PreparedStatement statement, int id, String trace) throws SQLException {
        statement.unwrap(JdbcStatement.class).clearAttributes();
        if (trace != null) {
            attribute(statement, "trace", trace);
        }
        statement.setLong(1, id);
        return texts(statement.executeQuery());
    }

    @Test
    void theMysqlProgramsArrive() throws Exception {
        var commands = "query_attributes trace hither other 5\nSELECT " + TRACE + ", id FROM notes WHERE id = 3;\n";
        // Since 9.5 off by default.
        var options = new String[] {"--named-commands", "--loose-commands"};
        assertThat(keyspace.mysql(commands, options)).contains("hither\t3\n");
    }

    @Test
    void rubbishEndsItsOwnConnectionOnly() throws Exception {
        try (var neighbour = keyspace.connect()) {
            for (var query :
                    new byte[][] {{}, {1}, {0, 2, 'D', 'O'}, {9, 1, 0, 0, 1, 1}, {-1, -1}, {1, 1, 0, 1, 6, 0, 0}}) {
                assertThat(answerTo(query)).isEqualTo(1835);
            }
            assertThat(neighbour.isValid(5)).isTrue();
        }
        assertThat(keyspace.metric("defects_total")).isZero();
    }

    /** The errno of the answer to this COM_QUERY, after which the connection must end. */
    private static int answerTo(byte[] query) throws IOException {
        try (var client = keyspace.raw(Capability.QUERY_ATTRIBUTES)) {
            client.send(CommandByte.QUERY, query);
            var error = client.packet();
            assertThatThrownBy(client::packet).as("the end").isInstanceOf(EOFException.class);
            return error[1] & 0xff | (error[2] & 0xff) << 8;
        }
    }

    private static void attribute(Statement statement, String name, Object value) throws SQLException {
        statement.unwrap(JdbcStatement.class).setAttribute(name, value);
    }

    private static Connection prepared() throws SQLException {
        return keyspace.connect("useServerPrepStmts", "true");
    }

    /** All columns of all rows. */
    private static List<String> texts(ResultSet rows) throws SQLException {
        var all = new ArrayList<String>();
        try (rows) {
            while (rows.next()) {
                for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                    all.add(rows.getString(column));
                }
            }
        }
        return all;
    }
}
