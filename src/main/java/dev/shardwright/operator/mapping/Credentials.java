package dev.shardwright.operator.mapping;

import dev.shardwright.api.Keyspace;
import dev.shardwright.api.KeyspaceSpec.DeletionPolicy;
import dev.shardwright.api.KeyspaceSpec.SecretKey;
import dev.shardwright.api.KeyspaceSpec.UserSpec;
import dev.shardwright.mysql.admin.AppUser;
import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.operator.desired.Labels;
import dev.shardwright.operator.desired.Names;
import dev.shardwright.operator.desired.Owned;
import dev.shardwright.operator.status.Problem;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The passwords of a keyspace, in Secrets. Always read live: a stale password locks out. */
public final class Credentials {
    /** Keys of the Secret {@link Names#accounts}. */
    public static final String OPERATOR_PASSWORD = "operator-password";

    public static final String MOVER_PASSWORD = "mover-password";
    private static final String LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
    private static final int LENGTH = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KubernetesClient client;

    public Credentials(KubernetesClient client) {
        this.client = client;
    }

    /** Our own accounts on a keyspace's servers. */
    public record Accounts(MysqlAccount operator, MysqlAccount mover) {}

    /**
     * The applications' users.
     *
     * @param known those whose password could be read
     * @param missing what is missing for the others
     */
    public record Users(List<AppUser> known, List<Problem> missing) {}

    /** Empty when the Secret is not there or lacks a key. */
    public Optional<Accounts> accounts(String namespace, String keyspace) {
        var secret = read(namespace, Names.accounts(keyspace));
        return value(secret, OPERATOR_PASSWORD)
                .flatMap(operator -> value(secret, MOVER_PASSWORD)
                        .map(mover -> new Accounts(
                                new MysqlAccount(MysqlAccount.OPERATOR, operator),
                                new MysqlAccount(MysqlAccount.MOVER, mover))));
    }

    /** Makes the Secret of our own accounts; one that is there already is left as it is. */
    public void createAccounts(Keyspace keyspace) {
        var name = keyspace.getMetadata().getName();
        var metadata = metadata(keyspace, Names.accounts(name));
        create(new SecretBuilder()
                .withMetadata(metadata)
                .addToStringData(OPERATOR_PASSWORD, password())
                .addToStringData(MOVER_PASSWORD, password())
                .build());
    }

    /** Volumes that are kept are of no use without these passwords, so they are kept with them. */
    private static ObjectMeta metadata(Keyspace keyspace, String name) {
        var labels = Labels.keyspace(keyspace.getMetadata().getName());
        return keyspace.getSpec().deletionPolicy() == DeletionPolicy.Retain
                ? new ObjectMetaBuilder()
                        .withName(name)
                        .withNamespace(keyspace.getMetadata().getNamespace())
                        .withLabels(labels)
                        .build()
                : Owned.by(keyspace, name, labels);
    }

    /** The users of the keyspace; makes the Secrets that are to be generated. */
    public Users users(Keyspace keyspace) {
        var known = new ArrayList<AppUser>();
        var missing = new ArrayList<Problem>();
        for (var user : keyspace.getSpec().users()) {
            var where = where(keyspace, user);
            var secret = read(keyspace.getMetadata().getNamespace(), where.name());
            if (secret.isEmpty() && user.passwordSecret() == null) {
                secret = Optional.of(generate(keyspace, where.name()));
            }
            var password = value(secret, where.key());
            if (password.isEmpty()) {
                missing.add(missing(user, where, secret.isPresent()));
                continue;
            }
            try {
                known.add(new AppUser(user.name(), password.get(), user.privileges()));
            } catch (IllegalArgumentException e) {
                missing.add(new Problem("UserNotUsable", String.valueOf(e.getMessage())));
            }
        }
        return new Users(List.copyOf(known), List.copyOf(missing));
    }

    /** Which of these keys the Secret lacks, all if it is not there; whether they are any good, a server says itself. */
    public List<String> missingKeys(String namespace, String name, String... keys) {
        var secret = read(namespace, name);
        return Stream.of(keys).filter(key -> value(secret, key).isEmpty()).toList();
    }

    /** The certificate of this Secret, the first of its chain; empty when it is missing or can't be read. */
    public Optional<X509Certificate> certificate(String namespace, String name) {
        return value(read(namespace, name), "tls.crt").flatMap(pem -> {
            try {
                var in = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
                return Optional.of((X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(in));
            } catch (CertificateException e) {
                return Optional.empty();
            }
        });
    }

    private static Problem missing(UserSpec user, SecretKey where, boolean secretIsThere) {
        return secretIsThere
                ? new Problem(
                        "SecretKeyMissing",
                        "Secret " + where.name() + " of user " + user.name() + " has no key '" + where.key()
                                + "': add it, or correct passwordSecret.key")
                : new Problem(
                        "SecretMissing",
                        "Secret " + where.name() + " with the password of user " + user.name()
                                + " is missing: create it with the key '" + where.key() + "'");
    }

    private static SecretKey where(Keyspace keyspace, UserSpec user) {
        var given = user.passwordSecret();
        return given != null
                ? given
                : new SecretKey(Names.password(keyspace.getMetadata().getName(), user.name()), "password");
    }

    private Secret generate(Keyspace keyspace, String name) {
        var labels = Labels.keyspace(keyspace.getMetadata().getName());
        var secret = new SecretBuilder()
                .withMetadata(Owned.by(keyspace, name, labels))
                .addToData(
                        "password",
                        Base64.getEncoder().encodeToString(password().getBytes(StandardCharsets.US_ASCII)))
                .build();
        create(secret);
        return read(keyspace.getMetadata().getNamespace(), name).orElse(secret);
    }

    private void create(Secret secret) {
        try {
            client.resource(secret).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    private Optional<Secret> read(String namespace, String name) {
        return Optional.ofNullable(
                client.secrets().inNamespace(namespace).withName(name).get());
    }

    private static Optional<String> value(Optional<Secret> secret, String key) {
        return secret.map(Secret::getData)
                .map((Map<String, String> data) -> data.get(key))
                .map(encoded -> new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8));
    }

    private static String password() {
        return RANDOM.ints(LENGTH, 0, LETTERS.length())
                .mapToObj(i -> String.valueOf(LETTERS.charAt(i)))
                .collect(Collectors.joining());
    }
}
