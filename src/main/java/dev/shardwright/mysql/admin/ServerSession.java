package dev.shardwright.mysql.admin;

import java.util.regex.Pattern;

/**
 * A session of an ordinary user: neither ours nor MySQL's own.
 *
 * @param id as KILL takes it
 * @param running whether it runs a statement at this moment
 * @param seconds how long it has been in this state, in whole seconds
 * @param statement the statement that it runs; empty when it runs none
 */
public record ServerSession(long id, String user, boolean running, long seconds, String statement) {
    private static final Pattern READ =
            Pattern.compile("\\s*\\(*\\s*select\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern LOCKING = Pattern.compile(
            "\\bfor\\s+(update|share)\\b|\\block\\s+in\\s+share\\s+mode\\b|\\binto\\s+(outfile|dumpfile)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern COMMENT = Pattern.compile("^\\s*/\\*[^!+].*?\\*/", Pattern.DOTALL);
    private static final int SHOWN = 120;

    /** Runs what looks like a plain SELECT. Whether it is in a transaction can't be seen from here. */
    public boolean runsRead() {
        var bare = COMMENT.matcher(statement).replaceFirst("");
        return running && READ.matcher(bare).matches() && !LOCKING.matcher(bare).find();
    }

    /** Runs anything else. */
    public boolean runsWrite() {
        return running && !runsRead();
    }

    /** For messages; the statement is cut. */
    public String describe() {
        var text = statement.length() > SHOWN ? statement.substring(0, SHOWN) + "..." : statement;
        return "session " + id + " of user " + user + (running ? " running for " + seconds + " s: " + text : " (idle)");
    }
}
