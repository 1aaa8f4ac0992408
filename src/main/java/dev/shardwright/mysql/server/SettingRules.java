package dev.shardwright.mysql.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which MySQL settings a user of Shardwright may choose. */
final class SettingRules {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");
    /** No control characters, and nothing that an option file reads as quoting, escape or comment. */
    private static final Pattern VALUE = Pattern.compile("[\\p{Print}&&[^\"'`\\\\#;]]{0,1000}");

    /** Names that are owned, each with the reason; a name that ends in * stands for all that begin so. */
    private static final Map<String, String> OWNED = owned();

    private SettingRules() {}

    static Optional<String> problem(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            return Optional.of(
                    "setting '" + name + "' is not a name that can be set here: write MySQL's name of the system"
                            + " variable in lower case with underscores, such as innodb_buffer_pool_size");
        }
        if (!VALUE.matcher(value).matches() || !value.strip().equals(value)) {
            return Optional.of(
                    "the value of setting '" + name + "' has a character that an option file can't hold safely:"
                            + " leave out line breaks, quotes, backslashes, # and ; and spaces at its ends");
        }
        return owner(name).map(reason -> "setting '" + name + "' belongs to Shardwright: " + reason + "; leave it out");
    }

    private static Optional<String> owner(String name) {
        if (name.endsWith("_dir") || name.endsWith("_file")) {
            return Optional.of("the server's files are where its pod has them");
        }
        for (var entry : OWNED.entrySet()) {
            var pattern = entry.getKey();
            var matches = pattern.endsWith("*")
                    ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                    : name.equals(pattern);
            if (matches) {
                return Optional.of(entry.getValue());
            }
        }
        return Optional.empty();
    }

    private static Map<String, String> owned() {
        var rules = new LinkedHashMap<String, String>();
        own(rules, "a prefix hides which setting is meant", "loose_* skip_* disable_* enable_* maximum_*");
        own(rules, "moving rows reads complete row images from the binary log", """
                log_bin* sql_log_bin binlog_format binlog_row_* binlog_do_db binlog_ignore_db replicate_*
                log_replica_updates log_slave_updates default_storage_engine disabled_storage_engines""");
        own(rules, "a switchover counts on transactions that survive a crash, in the order of the binary log", """
                sync_binlog innodb_flush_log_at_trx_commit binlog_order_commits innodb_doublewrite
                innodb_force_recovery xa_detach_on_prepare""");
        own(rules, "positions are gtid sets", "gtid_* enforce_gtid_consistency server_id server_uuid");
        own(rules, "fencing a shard uses it", """
                read_only super_read_only innodb_read_only transaction_read_only offline_mode event_scheduler
                persisted_globals_load persist_* init_file init_connect init_replica mandatory_roles partial_revokes""");
        own(rules, "cascaded changes must be in the binary log", "innodb_native_foreign_keys");
        own(rules, "rows are loaded with LOAD DATA LOCAL", "local_infile");
        own(rules, "the server's place is given by its pod", """
                port admin_* bind_address socket pid_file user chroot basedir datadir tmpdir innodb_tmpdir
                replica_load_tmpdir plugin_* early_plugin_* secure_file_priv log_error innodb_data_* innodb_temp_*
                innodb_log_group_* innodb_undo_directory innodb_directories mysqlx*""");
        own(rules, "it can't be changed once a data directory is there", "lower_case_table_names innodb_page_size");
        own(rules, "the operator, the movers and routers log in to the servers, some of them without TLS", """
                require_secure_transport authentication_* default_authentication_plugin""");
        own(rules, "routers check the servers' certificates (spec.mysql.tls)", "ssl_* tls_* auto_generate_certs");
        return rules;
    }

    private static void own(Map<String, String> rules, String reason, String names) {
        for (var name : names.strip().split("\\s+", -1)) {
            rules.put(name, reason);
        }
    }
}
