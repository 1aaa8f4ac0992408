package dev.shardwright.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A self-signed certificate for 127.0.0.1, made by the JDK's keytool. */
public final class TestCertificate {
    static final char[] PASSWORD = "changeit".toCharArray();
    static final String ALIAS = "router";

    private final KeyStore store;
    private final Path trust;

    private TestCertificate(KeyStore store, Path trust) {
        this.store = store;
        this.trust = trust;
    }

    /** Files below this directory, which must exist. */
    public static TestCertificate make(Path directory, String name)
            throws IOException, InterruptedException, GeneralSecurityException {
        var file = directory.resolve(name + ".p12");
        keytool(
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2");
        var store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, PASSWORD);
        trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
        var trust = directory.resolve(name + "-trust.p12");
        try (var out = Files.newOutputStream(trust)) {
            trusted.store(out, PASSWORD);
        }
        return new TestCertificate(store, trust);
    }

    static void keytool(String... arguments) throws IOException, InterruptedException {
        var command = new java.util.ArrayList<>(java.util.List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(java.util.List.of(arguments));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
    }

    /** As a Secret of type kubernetes.io/tls has it: tls.crt and tls.key. */
    public void write(Path directory) throws IOException, GeneralSecurityException {
        Files.writeString(
                directory.resolve("tls.crt"),
                pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded()));
        Files.writeString(
                directory.resolve("tls.key"),
                pem("PRIVATE KEY", store.getKey(ALIAS, PASSWORD).getEncoded()));
    }

    static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + kind
                + "-----\n";
    }

    /** A key store that trusts this certificate and no other, for a JDBC URL. */
    public String jdbcTrust() {
        return "trustCertificateKeyStoreUrl=" + trust.toUri() + "&trustCertificateKeyStoreType=PKCS12"
                + "&trustCertificateKeyStorePassword=" + new String(PASSWORD);
    }
}
