package dev.shardwright.mysql.server;

import java.util.List;

/** The shell script of a MySQL pod's init container. */
public final class InitScript {
    private InitScript() {}

    /** What mysqld is started with to make a data directory; no binary log, so a new server's gtid history is empty. */
    static List<String> options(String configFile, String sqlFile) {
        return List.of(
                "--defaults-file=" + configFile,
                "--initialize-insecure",
                "--disable-log-bin",
                "--init-file=" + sqlFile);
    }

    /**
     * Makes the data directory once, or checks that the one on the volume is this shard's. It can be
     * run again after being killed anywhere: the directory is made beside its place and then renamed.
     * Needs sh, mysqld and coreutils, write access to the volume and nothing else.
     *
     * @param configFile the my.cnf in the container
     * @param sqlFile {@code Bootstrap.sql(identity)} in the container
     */
    public static String text(String configFile, String sqlFile, String shardUid) {
        return """
                set -eu
                volume=%1$s uid=%3$s
                if [ -d "$volume/data" ]; then
                  found=$(cat "$volume/data/shardwright-shard-uid" 2>/dev/null || echo unknown)
                  if [ "$found" != "$uid" ]; then
                    echo "error: the volume at $volume holds shard $found, but this pod is shard $uid: give the pod the volume of its own shard, or an empty one" >&2
                    exit 1
                  fi
                  echo "data directory of shard $uid is there"
                  exit 0
                fi
                echo "making the data directory of shard $uid"
                rm -rf "$volume/data.new"
                mysqld %2$s --datadir="$volume/data.new"
                rm -f "$volume/data.new/auto.cnf"
                echo "$uid" >"$volume/data.new/shardwright-shard-uid"
                sync
                mv "$volume/data.new" "$volume/data"
                echo "done"
                """.formatted(ServerPlace.POD_VOLUME, String.join(" ", options(configFile, sqlFile)), shardUid);
    }
}
