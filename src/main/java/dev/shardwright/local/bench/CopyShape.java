package dev.shardwright.local.bench;

import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.vindex.ShardKeyValue;
import dev.shardwright.topology.vindex.Vindexes;
import java.io.IOException;
import java.io.Writer;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Rows that a copy is measured with: messages, a hundred to a channel, keyed by channel and number.
 *
 * @param textKey whether channels are named by a text of 36 characters, not by a number
 * @param bodyBytes length of a message
 */
public record CopyShape(boolean textKey, int rows, int bodyBytes) {
    private static final int IN_CHANNEL = 100;
    static final List<String> TARGETS = List.of("-80", "80-");
    static final List<String> SOURCES = List.of("-");

    /** The table, for any MySQL. */
    public String table() {
        return "CREATE TABLE messages (channel_id " + column() + " NOT NULL, id BIGINT NOT NULL, author VARCHAR(32),"
                + " body VARCHAR(4000), PRIMARY KEY (channel_id, id))";
    }

    private String column() {
        return textKey ? "VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin" : "BIGINT";
    }

    /** The vschema's entry for the shard key's column. */
    String shardKey() {
        return textKey
                ? "{name: channel_id, type: varchar(40), collation: utf8mb4_0900_bin}"
                : "{name: channel_id, type: bigint}";
    }

    /** One file for each target's rows, in the order of their keys and as LOAD DATA reads them by default. */
    List<Path> write(Path directory) throws IOException {
        Files.createDirectories(directory);
        var ranges = TARGETS.stream().map(KeyRange::parse).toList();
        var vindex = Vindexes.of("xxhash");
        var files = new ArrayList<Path>();
        var writers = new ArrayList<Writer>();
        var random = new Random(rows);
        try {
            for (var range : TARGETS) {
                files.add(directory.resolve("rows" + range + ".tsv"));
                writers.add(Files.newBufferedWriter(files.getLast(), StandardCharsets.US_ASCII));
            }
            for (int channel = 0; channel < rows / IN_CHANNEL; channel++) {
                var key = textKey ? "channel-of-the-bench-%015d".formatted(channel) : String.valueOf(channel);
                var id = vindex.keyspaceId(List.of(
                        textKey
                                ? new ShardKeyValue.Bytes(key.getBytes(StandardCharsets.US_ASCII))
                                : new ShardKeyValue.Int(BigInteger.valueOf(channel))));
                if (id == null) {
                    throw new IllegalStateException("channel " + key + " has no keyspace id");
                }
                int owner = 0;
                while (!ranges.get(owner).contains(id)) {
                    owner++;
                }
                for (int i = 0; i < IN_CHANNEL; i++) {
                    writers.get(owner)
                            .append(key)
                            .append('\t')
                            .append(String.valueOf(i))
                            .append("\tauthor")
                            .append(String.valueOf(i))
                            .append('\t')
                            .append(body(random))
                            .append('\n');
                }
            }
        } finally {
            for (var writer : writers) {
                writer.close();
            }
        }
        return files;
    }

    private String body(Random random) {
        var body = new StringBuilder(bodyBytes);
        while (body.length() < bodyBytes) {
            body.append(Long.toString(random.nextLong() >>> 1, 36));
        }
        body.setLength(bodyBytes);
        return body.toString();
    }
}
