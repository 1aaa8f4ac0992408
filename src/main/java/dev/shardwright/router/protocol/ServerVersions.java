package dev.shardwright.router.protocol;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * What the shards' servers say that they are, as heard in their greetings, and what clients are told: the lowest of it,
 * because drivers choose features by it and a statement may go to any shard. Thread-safe.
 */
public final class ServerVersions {
    /** Told as long as no server was heard: the oldest that has all that the router offers. */
    static final String UNHEARD = "8.4.0";

    private static final String SUFFIX = "-Shardwright";
    /** As much as old clients make room for, with the suffix. */
    private static final int LENGTH = 48;

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})(?:[^\\d].*)?");
    private static final Comparator<Version> AGE = Comparator.comparingInt(Version::major)
            .thenComparingInt(Version::minor)
            .thenComparingInt(Version::patch);

    private final Map<String, Version> byShard = new ConcurrentHashMap<>();
    private volatile String reported = UNHEARD + SUFFIX;

    private record Version(int major, int minor, int patch, String text) {}

    /** A shard's server has said its version; one that can't be read as numbers changes nothing. */
    public void heard(String shardUid, String version) {
        var parts = NUMBERS.matcher(version);
        if (!parts.matches()) {
            return;
        }
        var text = version.length() > LENGTH ? version.substring(0, LENGTH) : version;
        var now = new Version(number(parts.group(1)), number(parts.group(2)), number(parts.group(3)), text);
        if (!now.equals(byShard.put(shardUid, now))) {
            report();
        }
    }

    private static int number(String digits) {
        return Integer.parseInt(digits);
    }

    /** Forgets all other shards. */
    public void keep(Collection<String> shardUids) {
        if (byShard.keySet().retainAll(shardUids)) {
            report();
        }
    }

    public boolean knows(String shardUid) {
        return byShard.containsKey(shardUid);
    }

    private synchronized void report() {
        var lowest = byShard.values().stream().min(AGE).map(Version::text);
        // The last of the shards may have gone; what was told so far is a better guess than none.
        lowest.ifPresent(text -> reported = text + SUFFIX);
    }

    /** For the greeting of a client. */
    public String reported() {
        return reported;
    }
}
