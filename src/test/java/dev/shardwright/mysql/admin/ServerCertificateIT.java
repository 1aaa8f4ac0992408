package dev.shardwright.mysql.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.testing.TestAuthority;
import dev.shardwright.testing.TestServers;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerCertificateIT {
    @TempDir
    Path directory;

    @Test
    void aServerReadsItsFilesAgainUntilItShowsTheCertificate() throws Exception {
        var authority = TestAuthority.make(directory, "authority");
        var signed = authority.sign("server", "dns:chat-mysql.here");
        var wanted = parsed(signed.certificate());
        try (var server = TestServers.start(directory.resolve("server"), "uid1", "-", true);
                var operator = server.connect(TestServers.OPERATOR)) {
            var data = server.directory().resolve("data");
            var positions = gtids(operator);
            // Not there yet.
            assertThat(ServerCertificate.renew(operator, wanted)).isTrue();
            assertThat(ServerCertificate.renew(operator, wanted)).isTrue();

            Files.writeString(data.resolve("server-cert.pem"), "nonsense");
            assertThatThrownBy(() -> ServerCertificate.renew(operator, wanted)).isInstanceOf(SQLException.class);

            Files.writeString(data.resolve("ca.pem"), authority.certificate());
            Files.writeString(data.resolve("server-cert.pem"), signed.certificate());
            Files.writeString(data.resolve("server-key.pem"), signed.key());
            assertThat(ServerCertificate.renew(operator, wanted)).isTrue();
            assertThat(ServerCertificate.renew(operator, wanted)).isFalse();
            assertThat(gtids(operator)).as("no other server hears of it").isEqualTo(positions);
        }
    }

    private static X509Certificate parsed(String pem) throws CertificateException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String gtids(Connection operator) throws SQLException {
        try (var rows = operator.createStatement().executeQuery("SELECT @@GLOBAL.gtid_executed")) {
            rows.next();
            return rows.getString(1);
        }
    }
}
