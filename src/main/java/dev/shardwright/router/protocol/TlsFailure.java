package dev.shardwright.router.protocol;

import java.security.cert.CertificateException;

/** Why a connection to a server could not be encrypted, in words that say what to do. */
final class TlsFailure {
    static final String NOT_OFFERED =
            "its server offers no TLS, which this router insists on (spec.mysql.tls): its error"
                    + " log says why it can't use its certificate";

    private TlsFailure() {}

    /** @param name the one that the server's certificate must be for */
    static ConnectFailure of(Throwable cause, String name) {
        for (var reason = cause; reason != null; reason = reason.getCause()) {
            if (reason instanceof CertificateException) {
                return ConnectFailure.unreachable(
                        "the certificate of its server is not good for the name %s, or ca.crt does not vouch for it (%s):"
                                        .formatted(name, reason.getMessage())
                                + " put a certificate for that name and its ca.crt into the Secret of spec.mysql.tls");
            }
        }
        return ConnectFailure.unreachable("TLS with its server failed: " + cause.getMessage());
    }
}
