package dev.shardwright.mysql.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a server keeps its files and listens.
 *
 * @param logError null: the error log goes to standard error
 * @param small settings for many servers on one machine
 */
public record ServerPlace(
        String dataDirectory,
        String socket,
        String bindAddress,
        int port,
        String tmpDirectory,
        @Nullable String logError,
        boolean small) {

    /** The mount point of the volume in a pod; the data directory is below it, so that it can be renamed into place. */
    public static final String POD_VOLUME = "/var/lib/mysql";

    public static final int POD_PORT = 3306;

    /** In a pod with the volume at {@link #POD_VOLUME} and a writable /tmp. */
    public static ServerPlace pod() {
        return new ServerPlace(POD_VOLUME + "/data", "/tmp/mysql.sock", "*", POD_PORT, "/tmp", null, false);
    }

    /** On this machine, everything below {@code directory}, loopback only. */
    static ServerPlace local(Path directory, int port) {
        return new ServerPlace(
                directory.resolve("data").toString(),
                // Relative to the data directory: a socket's path is limited to about 100 bytes.
                "mysql.sock",
                "127.0.0.1",
                port,
                directory.resolve("tmp").toString(),
                directory.resolve("error.log").toString(),
                true);
    }

    List<Setting> settings() {
        var settings = new ArrayList<>(List.of(
                new Setting("datadir", dataDirectory),
                new Setting("socket", socket),
                new Setting("pid_file", "mysqld.pid"),
                new Setting("bind_address", bindAddress),
                new Setting("port", Integer.toString(port)),
                new Setting("tmpdir", tmpDirectory)));
        if (logError != null) {
            settings.add(new Setting("log_error", logError));
        }
        return settings;
    }
}
