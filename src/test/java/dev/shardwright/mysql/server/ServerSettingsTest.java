package dev.shardwright.mysql.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSettingsTest {

    @Test
    void usersChooseWhatIsTheirs() {
        assertThat(new Setting("innodb_buffer_pool_size", "256M").problem()).isEmpty();
        assertThat(new Setting("sql_mode", "STRICT_TRANS_TABLES,NO_ZERO_DATE").problem())
                .isEmpty();
        assertThat(new Setting("optimizer_switch", "mrr=on").problem()).isEmpty();
        assertThat(new Setting("init_value", "").problem()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sync_binlog",
                "binlog_row_image",
                "binlog_row_value_options",
                "log_bin",
                "log_bin_index",
                "gtid_mode",
                "server_id",
                "read_only",
                "super_read_only",
                "offline_mode",
                "event_scheduler",
                "persisted_globals_load",
                "local_infile",
                "innodb_native_foreign_keys",
                "loose_sync_binlog",
                "skip_log_bin",
                "disable_log_bin",
                "port",
                "datadir",
                "socket",
                "plugin_load_add",
                "init_file",
                "secure_file_priv",
                "ssl_dir",
                "ssl_cert",
                "tls_version",
                "lower_case_table_names",
                "replicate_do_db",
                "mysqlx_port",
                "admin_address",
                "innodb_doublewrite"
            })
    void whatWeOwnIsRefusedWithTheReason(String name) {
        assertThat(new Setting(name, "1").problem())
                .hasValueSatisfying(
                        problem -> assertThat(problem).contains(name, "belongs to Shardwright", "leave it out"));
    }

    @ParameterizedTest
    @CsvSource({"'Sync_binlog',1", "'a b',1", "'[mysqld]',1", "'a-b',1", "'a=b',1", "'',1"})
    void aNameMustBeAName(String name, String value) {
        assertThat(new Setting(name, value).problem()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1\nread_only=OFF", "1\r", "a#b", "a\"b", "a'b", "a\\n", " 1", "1 ", "a;b", "\u0000", "\u2028"})
    void aValueCantBreakOutOfItsLine(String value) {
        assertThat(new Setting("sort_buffer_size", value).problem()).isPresent();
    }

    @Test
    void oursComeLastSoTheyWin() {
        var text = ServerSettings.myCnf(ServerPlace.pod(), "u1", List.of(new Setting("max_connections", "9")));

        assertThat(text.indexOf("max_connections = 500")).isPositive().isLessThan(text.indexOf("max_connections = 9"));
        assertThat(text.indexOf("max_connections = 9")).isLessThan(text.indexOf("sync_binlog = 1"));
        assertThat(text).contains("datadir = /var/lib/mysql/data\n", "port = 3306\n");
    }

    @Test
    void aServerWithACertificateHasItFromOneDirectory() {
        assertThat(ServerSettings.myCnf(ServerPlace.pod(), "u1", List.of(), "/tls"))
                .contains("ssl_cert = /tls/tls.crt\n", "ssl_key = /tls/tls.key\n", "ssl_ca = /tls/ca.crt\n");
        assertThat(ServerSettings.myCnf(ServerPlace.pod(), "u1", List.of())).doesNotContain("ssl_");
    }

    @Test
    void aSettingThatIsNotAllowedNeverGetsIntoAFile() {
        assertThatThrownBy(
                        () -> ServerSettings.myCnf(ServerPlace.pod(), "u1", List.of(new Setting("read_only", "OFF"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("read_only");
    }

    @Test
    void serverIdsArePositiveAndDiffer() {
        assertThat(ServerSettings.serverId("u1")).isPositive().isNotEqualTo(ServerSettings.serverId("u2"));
    }
}
