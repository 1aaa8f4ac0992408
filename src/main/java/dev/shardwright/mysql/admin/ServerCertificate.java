package dev.shardwright.mysql.admin;

import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.Locale;

/** The certificate that a server shows to those who connect by TLS. */
public final class ServerCertificate {
    /** As OpenSSL prints times, a day of one digit behind two spaces. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "MMM ppd HH:mm:ss yyyy 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private ServerCertificate() {}

    /**
     * Has the server read its files again if it shows another certificate than this one, and returns whether it was
     * asked to. The files may be older than the certificate still: call it again later. Connections stay.
     * SQLException when the server can't use the files; it goes on with what it has.
     */
    public static boolean renew(Connection operator, X509Certificate wanted) throws SQLException {
        try (var statement = operator.createStatement()) {
            if (shows(statement, "Ssl_server_not_before", wanted.getNotBefore())
                    && shows(statement, "Ssl_server_not_after", wanted.getNotAfter())) {
                return false;
            }
            statement.execute("ALTER INSTANCE RELOAD TLS");
            return true;
        }
    }

    private static boolean shows(java.sql.Statement statement, String variable, Date time) throws SQLException {
        try (var rows = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + variable + "'")) {
            return rows.next() && rows.getString(2).equals(TIME.format(time.toInstant()));
        }
    }
}
