import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

/** {@code java TrustStore.java BUNDLE.pem STORE}: the certificates of a PEM bundle as a Java trust store. */
class TrustStore {
    public static void main(String[] args) throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        try (var bundle = Files.newInputStream(Path.of(args[0]));
                var out = Files.newOutputStream(Path.of(args[1]))) {
            int index = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(bundle)) {
                store.setCertificateEntry("ca-" + index++, certificate);
            }
            store.store(out, "changeit".toCharArray());
        }
    }
}
