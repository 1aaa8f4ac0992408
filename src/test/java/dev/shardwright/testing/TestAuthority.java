package dev.shardwright.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/** Signs certificates for servers, by the JDK's keytool. */
public final class TestAuthority {
    private final Path directory;
    private final Path store;
    private final String certificate;

    private TestAuthority(Path directory, Path store, String certificate) {
        this.directory = directory;
        this.store = store;
        this.certificate = certificate;
    }

    /** Files below this directory, which must exist. */
    public static TestAuthority make(Path directory, String name)
            throws IOException, InterruptedException, GeneralSecurityException {
        var store = generate(directory, name, "bc:critical=ca:true");
        var pem = TestCertificate.pem(
                "CERTIFICATE", load(store).getCertificate(TestCertificate.ALIAS).getEncoded());
        return new TestAuthority(directory, store, pem);
    }

    /** Whom to trust, in PEM. */
    public String certificate() {
        return certificate;
    }

    /**
     * A certificate and its key, in PEM.
     *
     * @param alternativeName as keytool wants it, such as ip:127.0.0.1
     */
    public Signed sign(String name, String alternativeName)
            throws IOException, InterruptedException, GeneralSecurityException {
        var own = generate(directory, name, "ku=digitalSignature");
        var request = directory.resolve(name + ".csr");
        var signed = directory.resolve(name + ".crt");
        run("-certreq", own, "-file", request.toString());
        run(
                "-gencert",
                store,
                "-rfc",
                "-infile",
                request.toString(),
                "-outfile",
                signed.toString(),
                "-ext",
                "san=" + alternativeName);
        var key = load(own).getKey(TestCertificate.ALIAS, TestCertificate.PASSWORD);
        return new Signed(Files.readString(signed), TestCertificate.pem("PRIVATE KEY", key.getEncoded()));
    }

    public record Signed(String certificate, String key) {}

    private static Path generate(Path directory, String name, String extension)
            throws IOException, InterruptedException {
        var store = directory.resolve(name + ".p12");
        run("-genkeypair", store, "-keyalg", "EC", "-dname", "CN=" + name, "-validity", "2", "-ext", extension);
        return store;
    }

    private static void run(String command, Path store, String... more) throws IOException, InterruptedException {
        var arguments = new java.util.ArrayList<>(java.util.List.of(
                command,
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(TestCertificate.PASSWORD),
                "-alias",
                TestCertificate.ALIAS));
        arguments.addAll(java.util.List.of(more));
        TestCertificate.keytool(arguments.toArray(String[]::new));
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, TestCertificate.PASSWORD);
        }
        return store;
    }
}
