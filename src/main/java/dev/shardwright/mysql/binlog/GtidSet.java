package dev.shardwright.mysql.binlog;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A set of transactions as MySQL writes it, {@code uuid:1-5:7,uuid:tag:1}. Mutable, not thread-safe. */
public final class GtidSet {
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TAG = Pattern.compile("[a-z_][a-z0-9_]{0,31}");
    private static final Pattern INTERVAL = Pattern.compile("(\\d{1,19})(?:-(\\d{1,19}))?");

    /** Source (with tag) to intervals: first number to last number, both inclusive, neither touching nor overlapping. */
    private final TreeMap<String, TreeMap<Long, Long>> intervals = new TreeMap<>();

    public GtidSet() {}

    /** IllegalArgumentException when the text is not a gtid set. */
    public static GtidSet parse(String text) {
        var set = new GtidSet();
        for (var part : text.replaceAll("\\s", "").toLowerCase(Locale.ROOT).split(",", -1)) {
            if (!part.isEmpty()) {
                set.parseSource(part);
            }
        }
        return set;
    }

    private void parseSource(String part) {
        var tokens = part.split(":", -1);
        if (!UUID.matcher(tokens[0]).matches()) {
            throw new IllegalArgumentException("'" + part + "' does not begin with a server UUID");
        }
        var source = tokens[0];
        for (int i = 1; i < tokens.length; i++) {
            var interval = INTERVAL.matcher(tokens[i]);
            if (interval.matches()) {
                var first = Long.parseLong(interval.group(1));
                add(source, first, interval.group(2) == null ? first : Long.parseLong(interval.group(2)));
            } else if (TAG.matcher(tokens[i]).matches()) {
                source = tokens[0] + ":" + tokens[i];
            } else {
                throw new IllegalArgumentException("'" + tokens[i] + "' in '" + part + "' is not an interval or a tag");
            }
        }
    }

    public void add(Gtid gtid) {
        add(gtid.source(), gtid.number(), gtid.number());
    }

    public void addAll(GtidSet other) {
        other.intervals.forEach((source, its) -> its.forEach((first, last) -> add(source, first, last)));
    }

    private void add(String source, long first, long last) {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("interval " + first + "-" + last + " is empty or begins below 1");
        }
        var mine = intervals.computeIfAbsent(source, unused -> new TreeMap<>());
        var from = first;
        var to = last;
        var before = mine.floorEntry(first);
        if (before != null && before.getValue() >= first - 1) {
            from = before.getKey();
            to = Math.max(to, before.getValue());
        }
        for (var next = mine.ceilingEntry(from);
                next != null && next.getKey() <= to + 1;
                next = mine.ceilingEntry(from)) {
            to = Math.max(to, next.getValue());
            mine.remove(next.getKey());
        }
        mine.put(from, to);
    }

    public boolean contains(Gtid gtid) {
        return contains(gtid.source(), gtid.number(), gtid.number());
    }

    private boolean contains(String source, long first, long last) {
        var mine = intervals.get(source);
        var entry = mine == null ? null : mine.floorEntry(first);
        return entry != null && entry.getValue() >= last;
    }

    public boolean containsAll(GtidSet other) {
        return other.intervals.entrySet().stream()
                .allMatch(source -> source.getValue().entrySet().stream()
                        .allMatch(its -> contains(source.getKey(), its.getKey(), its.getValue())));
    }

    public GtidSet intersect(GtidSet other) {
        var result = new GtidSet();
        intervals.forEach((source, mine) -> {
            var its = other.intervals.get(source);
            if (its != null) {
                mine.forEach((first, last) -> result.addOverlaps(source, first, last, its));
            }
        });
        return result;
    }

    private void addOverlaps(String source, long first, long last, TreeMap<Long, Long> its) {
        var start = its.floorKey(first);
        for (var entry : its.tailMap(start == null ? first : start, true).entrySet()) {
            if (entry.getKey() > last) {
                return;
            }
            var from = Math.max(first, entry.getKey());
            var to = Math.min(last, entry.getValue());
            if (from <= to) {
                add(source, from, to);
            }
        }
    }

    public GtidSet copy() {
        var result = new GtidSet();
        intervals.forEach((source, mine) -> result.intervals.put(source, new TreeMap<>(mine)));
        return result;
    }

    public boolean isEmpty() {
        return intervals.isEmpty();
    }

    /** For the dump command: each source with its intervals. */
    Map<String, TreeMap<Long, Long>> intervals() {
        return intervals;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GtidSet set && intervals.equals(set.intervals);
    }

    @Override
    public int hashCode() {
        return intervals.hashCode();
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        intervals.forEach((source, mine) -> {
            text.append(text.isEmpty() ? "" : ",").append(source);
            mine.forEach((first, last) -> {
                text.append(':').append(first);
                if (last > first) {
                    text.append('-').append(last);
                }
            });
        });
        return text.toString();
    }
}
