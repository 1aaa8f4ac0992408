package dev.shardwright.router.executor.merge;

/** Dates and times as numbers in the same order. */
final class Temporal {
    private Temporal() {}

    /** A DATE, DATETIME or TIMESTAMP of a binary row. */
    static long dateTime(Row row, int column) {
        var at = row.contentStart(column);
        var length = row.contentLength(column);
        var date = length < 4
                ? 0L
                : (Lengths.little(row.payload, at, 2) * 16L + row.payload[at + 2]) * 32 + row.payload[at + 3];
        var time = length < 7 ? 0L : (row.payload[at + 4] * 60L + row.payload[at + 5]) * 60 + row.payload[at + 6];
        var micros = length < 11 ? 0L : Lengths.little(row.payload, at + 7, 4);
        return (date * 86_400 + time) * 1_000_000 + micros;
    }

    /** A TIME of a binary row, in microseconds. */
    static long time(Row row, int column) {
        var at = row.contentStart(column);
        var length = row.contentLength(column);
        if (length < 8) {
            return 0;
        }
        var hours = Lengths.little(row.payload, at + 1, 4) * 24L + row.payload[at + 5];
        var seconds = (hours * 60 + row.payload[at + 6]) * 60 + row.payload[at + 7];
        var micros = seconds * 1_000_000 + (length < 12 ? 0L : Lengths.little(row.payload, at + 8, 4));
        return row.payload[at] == 0 ? micros : -micros;
    }

    /** A TIME as text, [-]hhh:mm:ss[.ffffff], in microseconds. */
    static long time(String text) {
        var negative = text.startsWith("-");
        var parts = (negative ? text.substring(1) : text).split("[:.]");
        if (parts.length < 3) {
            throw MergeException.malformed();
        }
        var seconds = (Long.parseLong(parts[0]) * 60 + Long.parseLong(parts[1])) * 60 + Long.parseLong(parts[2]);
        var fraction = parts.length < 4 ? 0L : Long.parseLong((parts[3] + "000000").substring(0, 6));
        var micros = seconds * 1_000_000 + fraction;
        return negative ? -micros : micros;
    }
}
