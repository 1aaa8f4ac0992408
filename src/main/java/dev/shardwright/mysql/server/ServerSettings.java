package dev.shardwright.mysql.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The my.cnf of a shard's server: defaults, then the user's choices, then what we own (so that it wins). */
public final class ServerSettings {
    private ServerSettings() {}

    /** Why a user may not have this setting, and what to do; empty if it is fine. */
    public static Optional<String> problem(String name, String value) {
        return SettingRules.problem(name, value);
    }

    /**
     * The file's whole text.
     *
     * @param users the user's choices; IllegalArgumentException if one is not allowed
     */
    public static String myCnf(ServerPlace place, String shardUid, List<Setting> users) {
        return myCnf(place, shardUid, users, null);
    }

    /**
     * The same for a server with a certificate.
     *
     * @param certificates the directory with tls.crt, tls.key and ca.crt; null: the server makes its own
     */
    public static String myCnf(ServerPlace place, String shardUid, List<Setting> users, @Nullable String certificates) {
        for (var setting : users) {
            setting.problem().ifPresent(problem -> {
                throw new IllegalArgumentException(problem);
            });
        }
        var text = new StringBuilder("# Written by Shardwright; changes are overwritten.\n[mysqld]\n");
        append(text, "defaults", defaults(place));
        append(text, "the user's", users);
        append(text, "owned: never overridden", owned(shardUid));
        append(text, "place", place.settings());
        if (certificates != null) {
            append(text, "TLS", tls(certificates));
        }
        return text.toString();
    }

    /** Unique among the servers that one keyspace ever has, for all practical purposes; never 0. */
    static int serverId(String shardUid) {
        var crc = new CRC32();
        crc.update(shardUid.getBytes(StandardCharsets.UTF_8));
        // The movers use ids above 2^31 when they read the binary log.
        return (int) (crc.getValue() & 0x3fff_ffff) + 1;
    }

    private static List<Setting> defaults(ServerPlace place) {
        var settings = new ArrayList<>(List.of(
                new Setting("character_set_server", "utf8mb4"),
                // All shards agree on NOW() and TIMESTAMP whatever their node's zone is.
                new Setting("default_time_zone", "+00:00"),
                new Setting("max_connections", "500"),
                // MySQL's default is a year, and whoever waits for a metadata lock holds up all that come later.
                new Setting("lock_wait_timeout", "60"),
                new Setting("max_allowed_packet", "128M"),
                new Setting("binlog_expire_logs_seconds", "259200"),
                // Applications may create functions and triggers without a privilege that no fence holds.
                new Setting("loose_log_bin_trust_function_creators", "ON")));
        if (place.small()) {
            settings.addAll(List.of(
                    new Setting("performance_schema", "OFF"),
                    new Setting("innodb_buffer_pool_size", "64M"),
                    new Setting("innodb_redo_log_capacity", "64M"),
                    new Setting("innodb_log_buffer_size", "4M"),
                    new Setting("table_open_cache", "400"),
                    new Setting("table_definition_cache", "400")));
        }
        return settings;
    }

    private static List<Setting> owned(String shardUid) {
        return List.of(
                new Setting("server_id", Integer.toString(serverId(shardUid))),
                new Setting("log_bin", "binlog"),
                new Setting("loose_binlog_format", "ROW"),
                new Setting("binlog_row_image", "FULL"),
                new Setting("binlog_row_metadata", "FULL"),
                new Setting("sync_binlog", "1"),
                new Setting("innodb_flush_log_at_trx_commit", "1"),
                new Setting("binlog_order_commits", "ON"),
                new Setting("gtid_mode", "ON"),
                new Setting("enforce_gtid_consistency", "ON"),
                new Setting("event_scheduler", "OFF"),
                new Setting("local_infile", "ON"),
                new Setting("skip_name_resolve", "ON"),
                new Setting("loose_mysqlx", "OFF"),
                // From MySQL 9.6 on; without it cascaded changes are not in the binary log.
                new Setting("loose_innodb_native_foreign_keys", "OFF"));
    }

    private static List<Setting> tls(String directory) {
        return List.of(
                new Setting("ssl_cert", directory + "/tls.crt"),
                new Setting("ssl_key", directory + "/tls.key"),
                new Setting("ssl_ca", directory + "/ca.crt"),
                new Setting("tls_version", "TLSv1.2,TLSv1.3"));
    }

    private static void append(StringBuilder text, String about, List<Setting> settings) {
        text.append("\n# ").append(about).append('\n');
        settings.forEach(setting -> text.append(setting).append('\n'));
    }
}
