package dev.shardwright.reshard.table;

import dev.shardwright.mysql.binlog.ColumnFormat;
import dev.shardwright.mysql.binlog.ColumnKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table that is moved.
 *
 * @param schema the database
 * @param keyIndex name of the primary key's index, or of the unique one that serves as such; empty when there is none
 * @param key indexes of its columns, in key order; none when the table has no key whose order is known
 * @param creation its CREATE TABLE statement
 * @param rowsEstimated MySQL's estimate
 * @param averageRowBytes MySQL's estimate, at least 1
 */
public record Table(
        String schema,
        String name,
        List<Column> columns,
        String keyIndex,
        List<Integer> key,
        String creation,
        long rowsEstimated,
        long averageRowBytes) {

    private static final int SHOWN_COLUMNS = 10;
    private static final int SHOWN_CHARACTERS = 40;

    public Table {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
    }

    /** Nothing tells its rows from each other but all of their values, and equal ones may be there several times. */
    public boolean isKeyless() {
        return key.isEmpty();
    }

    /** The quoted, qualified name. */
    public String quoted() {
        return Sql.name(schema) + "." + Sql.name(name);
    }

    public List<ColumnFormat> formats() {
        return columns.stream().map(Column::format).toList();
    }

    /** The columns that statements name; MySQL makes the others. */
    public List<Column> writtenColumns() {
        return columns.stream().filter(Column::isWritten).toList();
    }

    public List<Column> keyColumns() {
        return key.stream().map(columns::get).toList();
    }

    /** The values of the row's key; none of them is NULL. */
    public byte[][] keyOf(Row row) {
        var values = new byte[key.size()][];
        for (int i = 0; i < values.length; i++) {
            var value = row.value(key.get(i));
            if (value == null) {
                throw new MoveException("a row of table " + name + " has NULL in its key");
            }
            values[i] = value;
        }
        return values;
    }

    /** Whether {@link #errors} is not 0 for all rows. */
    public boolean canHaveErrors() {
        return columns.stream().anyMatch(column -> column.kind() == ColumnKind.ENUM);
    }

    /** How many of the row's values no statement in strict mode can store, see {@link Column#isError}. */
    public int errors(Row row) {
        var errors = 0;
        var value = row.packed();
        for (var column : columns) {
            value.next();
            if (column.kind() == ColumnKind.ENUM && column.isWritten() && column.isError(value.copy())) {
                errors++;
            }
        }
        return errors;
    }

    public boolean hasDocuments() {
        return columns.stream().anyMatch(column -> column.kind() == ColumnKind.JSON && column.isWritten());
    }

    /** Whether a document of the row is more than its text, which is all that LOAD DATA can store. */
    public boolean isMoreThanText(Row row) {
        // For each copied row, so nothing is unpacked.
        var value = row.packed();
        for (var column : columns) {
            value.next();
            if (column.kind() == ColumnKind.JSON
                    && !value.isNull()
                    && !Document.isText(value.memory(), value.start(), value.end())) {
                return true;
            }
        }
        return false;
    }

    /** The row with no more of its documents than their texts. */
    public Row asText(Row row) {
        var values = row.values();
        for (int i = 0; i < values.length; i++) {
            var value = values[i];
            if (value != null && columns.get(i).kind() == ColumnKind.JSON) {
                values[i] = Document.text(value);
            }
        }
        return new Row(values);
    }

    /** The row's name for people: table and key, without one as many columns as fit. */
    public String rowName(Row row) {
        var named = key;
        if (isKeyless()) {
            named = IntStream.range(0, Math.min(SHOWN_COLUMNS, columns.size()))
                    .boxed()
                    .toList();
        }
        return name + " "
                + named.stream()
                        .map(i -> columns.get(i).name() + "=" + shown(columns.get(i), row.value(i)))
                        .collect(Collectors.joining(
                                ", ", "(", named.size() < columns.size() && isKeyless() ? ", ...)" : ")"));
    }

    /** As {@link #rowName(Row)}, as far as the first of its packed values, the last of which may be cut, tell its key. */
    public String rowName(byte[] beginning) {
        var unknown = "a row of table " + name;
        var values = new byte[key.stream().max(Integer::compare).orElse(-1) + 1][];
        var packed = new PackedValues(Arrays.copyOf(beginning, beginning.length + PackedValues.MOST_LENGTH), 0);
        for (int i = 0; i < values.length; i++) {
            if (packed.end() >= beginning.length) {
                return unknown;
            }
            packed.next();
            if (packed.end() > beginning.length) {
                return unknown;
            }
            values[i] = packed.copy();
        }
        return isKeyless() ? unknown : rowName(new Row(values));
    }

    private String shown(Column column, byte @Nullable [] value) {
        var text = column.shown(value);
        return isKeyless() && text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "..." : text;
    }

    /** All columns, then the weight strings of the key's text columns. */
    public String selectList() {
        var list = new ArrayList<String>();
        columns.forEach(column -> list.add(column.selected()));
        keyColumns().stream()
                .filter(Column::isText)
                .forEach(column -> list.add(Weights.of(Sql.name(column.name()), column)));
        return String.join(", ", list);
    }

    public String keyOrder() {
        return keyColumns().stream()
                .map(column -> Sql.name(column.name()) + (column.descending() ? " DESC" : ""))
                .collect(Collectors.joining(", "));
    }

    /** Matches exactly the row with this key. */
    public String whereKey(byte[][] values) {
        var columns = keyColumns();
        var terms = new ArrayList<String>();
        for (int i = 0; i < values.length; i++) {
            terms.add(Sql.name(columns.get(i).name()) + " = " + columns.get(i).literal(values[i]));
        }
        return String.join(" AND ", terms);
    }

    /** The keys after this one (or up to it), in a form for which MySQL uses the key's index. */
    public String whereAfter(byte[][] values) {
        return compared(values, false);
    }

    public String whereUpTo(byte[][] values) {
        return compared(values, true);
    }

    /**
     * (a, b) > (x, y) as a > x OR (a = x AND b > y): each term is a range of the index. Row comparisons are none, and of
     * a >= x AND (a > x OR b > y) MySQL would use the first column only, and read all rows of x for each chunk in it.
     */
    private String compared(byte[][] values, boolean upTo) {
        var columns = keyColumns();
        var equal = "";
        var terms = new ArrayList<String>();
        for (int i = 0; i < values.length; i++) {
            var name = Sql.name(columns.get(i).name());
            var literal = columns.get(i).literal(values[i]);
            var sign = (upTo == columns.get(i).descending() ? ">" : "<") + (upTo && i == values.length - 1 ? "=" : "");
            terms.add("(" + equal + name + " " + sign + " " + literal + ")");
            equal += name + " = " + literal + " AND ";
        }
        return String.join(" OR ", terms);
    }
}
