package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;

import dev.shardwright.mysql.server.Setting;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every type, by the copy, by the stream and in a comparison; once with compressed transactions. */
class ValuesIT {
    private static final String TABLE =
            "CREATE TABLE kinds (id BIGINT PRIMARY KEY, t TINYINT, tu TINYINT UNSIGNED, m MEDIUMINT,"
                    + " mu MEDIUMINT UNSIGNED, i INT, iz INT(8) UNSIGNED ZEROFILL, b BIGINT, bu BIGINT UNSIGNED, f FLOAT, d DOUBLE, f2 FLOAT(7,2),"
                    + " de DECIMAL(30,10), dz DECIMAL(65,30), y YEAR, da DATE, ti TIME(3), dt DATETIME(6), ts TIMESTAMP(1) NULL, bi BIT(13),"
                    + " e ENUM('1','2','b'), s SET('a','b','c','d','e','f','g','h','i','j'), c CHAR(10), vc VARCHAR(300), lt VARCHAR(20) CHARACTER SET latin1,"
                    + " u16 VARCHAR(20) CHARACTER SET utf16, bn BINARY(6), vb VARBINARY(300), tx MEDIUMTEXT, bl LONGBLOB, j JSON, g GEOMETRY,"
                    + " p POINT, inv INT INVISIBLE DEFAULT 3)";

    private static final String COLUMNS =
            "(id, t, tu, m, mu, i, iz, b, bu, f, d, f2, de, dz, y, da, ti, dt, ts, bi, e, s, c, vc, lt,"
                    + " u16, bn, vb, tx, bl, j, g, p, inv)";

    private static final List<String> ROWS = List.of(
            "1, -128, 255, -8388608, 16777215, -2147483648, 42, -9223372036854775808, 18446744073709551615, 1e-38, 1.7976931348623157e308,"
                    + " 12345.67, -12345678901234567890.0123456789, 0.000000000000000000000000000001, 1901, '0000-00-00', '-838:59:59.000',"
                    + " '9999-12-31 23:59:59.999999', '2038-01-19 03:14:07.5', b'1010101010101', '2', 'a,c,j', 'x  ', 'tab\\there\\\\n', 'é', 'ü日',"
                    + " X'610000', X'00010203FF5C090A', REPEAT('ä', 1000), X'005C4E0A', '{\"a\": [1, -2.5, null, true, \"\\\\u0001é\\\\\"\"], \"b\": {}}',"
                    + " ST_GeomFromText('LINESTRING(0 0,1 1)'), ST_GeomFromText('POINT(1 -2)', 4326), NULL",
            "2, 0, 0, 0, 0, 0, 0, 0, 0, 0.1, 0.1, 0, 0, 0, 2155, '2024-02-29', '00:00:00.001', '0000-00-00 00:00:00', NULL, 0, 'b', '', '', '', '',"
                    + " '', '', '', '', '', 'null', NULL, NULL, 7",
            "-3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
                    + " NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0",
            "4, 1, 1, 1, 1, 1, 1, 1, 1, 16777216.5, -0.0, -1.5, -0.5, -99999999999999999999999999999999999.5, 0, '2020-00-00', '838:59:59.000',"
                    + " '1000-01-01 00:00:00', '1970-01-01 00:00:01', 1, '1', 'b', ' lead', '😀', 'a', '😀', X'00', X'00', '\\\\N', REPEAT(X'00', 100000),"
                    + " '[1e300, 0.1, 18446744073709551615, \"😀\", -9223372036854775808]', NULL, NULL, 1");

    @TempDir
    Path directory;

    private static void insert(MoveFixture fixture, int plus) throws SQLException {
        try (var connection = fixture.app(WHOLE);
                var statement = connection.createStatement()) {
            statement.execute("SET SESSION sql_mode = 'ALLOW_INVALID_DATES', time_zone = '+00:00'");
            for (var row : ROWS) {
                var comma = row.indexOf(',');
                var id = Long.parseLong(row.substring(0, comma)) + plus;
                statement.execute("INSERT INTO kinds " + COLUMNS + " VALUES (" + id + row.substring(comma) + ")");
            }
        }
    }

    private static void move(MoveFixture fixture) throws Exception {
        fixture.begin(List.of(WHOLE), TABLE);
        insert(fixture, 0);
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
        insert(fixture, 100);
        insert(fixture, 200);
        // Each row takes another row's values, so that each kind of value is in an update too.
        fixture.run(
                WHOLE,
                "UPDATE kinds a JOIN kinds b ON b.id = a.id + 1 SET a.t = b.t, a.f = b.f, a.d = b.d, a.de = b.de, a.dz = b.dz,"
                        + " a.ti = b.ti, a.ts = b.ts, a.bi = b.bi, a.e = b.e, a.s = b.s, a.c = b.c, a.vc = b.vc, a.lt = b.lt,"
                        + " a.u16 = b.u16, a.bn = b.bn, a.vb = b.vb, a.tx = b.tx, a.bl = b.bl, a.j = b.j, a.g = b.g, a.p = b.p"
                        + " WHERE a.id > 200",
                "DELETE FROM kinds WHERE id = 202");
        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), "kinds");
        fixture.closeMovers();
        for (var server : List.of(LOW, HIGH)) {
            fixture.asOperator(
                    server,
                    "UPDATE _shardwright.chunk_progress SET frontier = NULL, complete = FALSE WHERE phase = 'verify'");
        }
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
    }

    @Test
    void everyTypeTravelsUnchanged() throws Exception {
        try (var fixture = new MoveFixture(directory)) {
            move(fixture);
        }
    }

    @Test
    void compressedTransactionsAndAServerInAnotherTimeZone() throws Exception {
        try (var fixture = new MoveFixture(
                directory,
                new Setting("binlog_transaction_compression", "ON"),
                new Setting("default_time_zone", "+05:30"))) {
            move(fixture);
        }
    }
}
