package dev.shardwright.api;

/** The server settings that correct resharding and fencing rest on; users cannot change them. */
final class OwnedSettings {
    static final String RULE = "!['loose_', 'skip_', 'disable_', 'enable_', 'maximum_', 'log_bin', 'binlog_row_',"
            + " 'replicate_', 'gtid_', 'persist_', 'plugin_', 'mysqlx', 'ssl_',"
            + " 'tls_'].exists(p, self.startsWith(p))"
            + " && !(self in ['binlog_format', 'binlog_do_db', 'binlog_ignore_db', 'sql_log_bin',"
            + " 'log_replica_updates', 'log_slave_updates', 'sync_binlog', 'innodb_flush_log_at_trx_commit',"
            + " 'binlog_order_commits', 'innodb_doublewrite', 'enforce_gtid_consistency', 'server_id', 'server_uuid',"
            + " 'read_only', 'super_read_only', 'innodb_read_only', 'transaction_read_only', 'offline_mode',"
            + " 'event_scheduler', 'persisted_globals_load', 'init_file', 'init_connect', 'mandatory_roles',"
            + " 'partial_revokes', 'innodb_native_foreign_keys', 'local_infile', 'port', 'admin_port',"
            + " 'admin_address', 'bind_address', 'socket', 'pid_file', 'user', 'chroot', 'basedir', 'datadir',"
            + " 'tmpdir', 'replica_load_tmpdir', 'early_plugin_load', 'secure_file_priv', 'log_error',"
            + " 'lc_messages_dir', 'character_sets_dir', 'innodb_data_home_dir', 'innodb_data_file_path',"
            + " 'innodb_temp_data_file_path', 'innodb_temp_tablespaces_dir', 'innodb_log_group_home_dir',"
            + " 'innodb_undo_directory', 'innodb_directories', 'innodb_doublewrite_dir', 'innodb_tmpdir',"
            + " 'lower_case_table_names', 'innodb_page_size', 'require_secure_transport', 'authentication_policy',"
            + " 'default_authentication_plugin', 'auto_generate_certs'])";

    static final String MESSAGE =
            "this setting belongs to the operator: correct fencing, resharding or start-up rests on"
                    + " its value; remove it from mysql.config";

    private OwnedSettings() {}
}
