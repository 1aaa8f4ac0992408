package dev.shardwright.api;

/** The server settings that correct resharding and fencing rest on; users cannot change them. */
final class OwnedSettings {
    static final String RULE = "!['gtid_', 'log_bin', 'loose_', 'skip_', 'replicate_', 'mysqlx', 'admin_',"
            + " 'plugin_load', 'early_plugin', 'persist', 'innodb_data_', 'innodb_log_group', 'innodb_undo_dir',"
            + " 'innodb_temp_', 'innodb_doublewrite_dir', 'authentication_']"
            + ".exists(p, self.startsWith(p))"
            + " && !self.endsWith('_dir') && !self.endsWith('_file') && !(self in ["
            + "'sync_binlog', 'innodb_flush_log_at_trx_commit', 'innodb_doublewrite', 'binlog_order_commits',"
            + " 'binlog_format', 'binlog_row_image', 'binlog_row_metadata', 'binlog_row_value_options',"
            + " 'binlog_do_db', 'binlog_ignore_db', 'sql_log_bin', 'log_replica_updates', 'log_slave_updates',"
            + " 'enforce_gtid_consistency', 'xa_detach_on_prepare', 'read_only', 'super_read_only',"
            + " 'innodb_read_only', 'transaction_read_only', 'offline_mode', 'event_scheduler', 'server_id',"
            + " 'innodb_native_foreign_keys', 'local_infile', 'datadir', 'basedir', 'tmpdir', 'socket', 'pid_file',"
            + " 'port', 'bind_address', 'user', 'chroot', 'init_connect', 'init_replica', 'log_error',"
            + " 'require_secure_transport', 'mandatory_roles', 'partial_revokes', 'lower_case_table_names',"
            + " 'secure_file_priv', 'innodb_force_recovery', 'disabled_storage_engines', 'default_storage_engine'])";

    static final String MESSAGE =
            "this setting belongs to the operator: correct fencing, resharding or start-up rests on"
                    + " its value; remove it from mysql.config";

    private OwnedSettings() {}
}
