package dev.shardwright.reshard.table;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Weight strings of text values, as MySQL computes them: Java's idea of a collation's order is another.
 * Used by one thread. A bounded cache saves most of the questions.
 */
public final class Weights {
    private static final int BATCH = 200;
    private static final int CACHE_ENTRIES = 10_000;

    /** A value of a text column. */
    public record Question(Column column, ByteBuffer value) {
        public Question(Column column, byte[] value) {
            this(column, ByteBuffer.wrap(value));
        }
    }

    private final Connection connection;
    private final Map<Question, byte[]> cache = new LinkedHashMap<>(1024, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Question, byte[]> eldest) {
            return size() > CACHE_ENTRIES;
        }
    };

    public Weights(Connection connection) {
        this.connection = connection;
    }

    /** The expression for the weights of a column or literal; under a padding collation 'a' and 'a ' have the same. */
    static String of(String expression, Column column) {
        return "WEIGHT_STRING(" + expression + (column.padded() ? " AS CHAR(" + column.characters() + ")" : "") + ")";
    }

    /** The key's place; asks MySQL if it must. */
    public Key encode(Table table, byte[][] values) throws SQLException {
        var columns = table.keyColumns();
        var questions = new ArrayList<Question>();
        for (int i = 0; i < values.length; i++) {
            if (columns.get(i).isText()) {
                questions.add(new Question(columns.get(i), values[i]));
            }
        }
        ask(questions);
        var weights = new byte[values.length] @Nullable [];
        for (int i = 0; i < values.length; i++) {
            weights[i] = columns.get(i).isText() ? cache.get(new Question(columns.get(i), values[i])) : null;
        }
        return KeyEncoder.encode(columns, values, weights);
    }

    /** Fills the cache for many values at once. */
    public void ask(Collection<Question> questions) throws SQLException {
        var open = questions.stream()
                .distinct()
                .filter(question -> cache.get(question) == null)
                .toList();
        for (int from = 0; from < open.size(); from += BATCH) {
            askBatch(open.subList(from, Math.min(open.size(), from + BATCH)));
        }
    }

    private void askBatch(List<Question> batch) throws SQLException {
        var expressions = new ArrayList<String>();
        for (var question : batch) {
            var literal = question.column.literal(question.value.array()) + " COLLATE " + question.column.collation();
            expressions.add(of(literal, question.column));
        }
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT " + String.join(", ", expressions))) {
            rows.next();
            for (int i = 0; i < batch.size(); i++) {
                var weight = rows.getBytes(i + 1);
                if (weight == null) {
                    throw new MoveException("MySQL has no weight for a value of key column "
                            + batch.get(i).column.name() + " in collation "
                            + batch.get(i).column.collation());
                }
                cache.put(batch.get(i), weight);
            }
        }
    }
}
