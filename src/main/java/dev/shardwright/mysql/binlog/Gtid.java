package dev.shardwright.mysql.binlog;

/**
 * One transaction's global id.
 *
 * @param source the server's UUID in lower case, with {@code :tag} appended for a tagged id
 */
public record Gtid(String source, long number) {
    @Override
    public String toString() {
        return source + ":" + number;
    }
}
