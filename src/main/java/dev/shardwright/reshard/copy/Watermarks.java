package dev.shardwright.reshard.copy;

import dev.shardwright.mysql.binlog.ColumnFormat;
import dev.shardwright.mysql.binlog.ColumnKind;
import dev.shardwright.reshard.table.OwnTables;
import dev.shardwright.reshard.table.Row;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Rows in {@code _shardwright.watermark} on the source: places in its binary log that a reader can know. */
public final class Watermarks {
    public static final String SCHEMA = "_shardwright";
    public static final String TABLE = "watermark";
    public static final List<ColumnFormat> FORMATS = List.of(
            new ColumnFormat(ColumnKind.TEXT, false, 0),
            new ColumnFormat(ColumnKind.INTEGER, false, 0),
            new ColumnFormat(ColumnKind.INTEGER, false, 0),
            new ColumnFormat(ColumnKind.INTEGER, false, 0));

    /** @param high the end of the read, else its beginning */
    public record Watermark(int slot, long mark, boolean high) {}

    private final String stream;
    private final long run = ThreadLocalRandom.current().nextLong();

    public Watermarks(String stream) {
        this.stream = stream;
    }

    public static void createTable(Connection source) throws SQLException {
        OwnTables.ensure(
                source,
                Map.of(
                        TABLE,
                        "CREATE TABLE IF NOT EXISTS `_shardwright`.watermark"
                                + " (stream VARCHAR(160) CHARACTER SET ascii NOT NULL, slot INT NOT NULL,"
                                + " run BIGINT NOT NULL, mark BIGINT NOT NULL, PRIMARY KEY (stream, slot)) ENGINE=InnoDB"));
    }

    /** In one transaction. */
    void write(Connection source, List<Watermark> watermarks) throws SQLException {
        try (var statement = source.prepareStatement(
                "INSERT INTO `_shardwright`.watermark (stream, slot, run, mark) VALUES (?, ?, ?, ?)"
                        + ", (?, ?, ?, ?)".repeat(watermarks.size() - 1)
                        + " ON DUPLICATE KEY UPDATE run = VALUES(run), mark = VALUES(mark)")) {
            var at = 0;
            for (var watermark : watermarks) {
                statement.setString(++at, stream);
                statement.setInt(++at, watermark.slot);
                statement.setLong(++at, run);
                statement.setLong(++at, 2 * watermark.mark + (watermark.high ? 1 : 0));
            }
            statement.executeUpdate();
        }
    }

    /** The watermark in a row of the table, if it is one of this run's. */
    public Optional<Watermark> read(Row row) {
        if (!stream.equals(text(row, 0)) || Long.parseLong(text(row, 2)) != run) {
            return Optional.empty();
        }
        var mark = Long.parseLong(text(row, 3));
        return Optional.of(new Watermark(Integer.parseInt(text(row, 1)), mark / 2, mark % 2 == 1));
    }

    private static String text(Row row, int column) {
        return new String(Objects.requireNonNull(row.value(column)), StandardCharsets.US_ASCII);
    }
}
