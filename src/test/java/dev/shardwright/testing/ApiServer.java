package dev.shardwright.testing;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A real Kubernetes API server with its etcd, one for all tests of a JVM; it has no controllers and no nodes.
 * The binaries are those of the e2e cluster, which are built first where they are missing.
 */
public final class ApiServer {
    private static final String TOKEN = "for-tests-only";
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private final Path directory;
    private final List<Process> processes = new ArrayList<>();
    private final Config config;

    private ApiServer(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
        this.directory = directory;
        var binaries = binaries();
        int client = freePort();
        int peer = freePort();
        int api = freePort();
        start(
                "etcd",
                List.of(
                        "etcd",
                        "--name=test",
                        "--data-dir=" + directory.resolve("etcd"),
                        "--listen-client-urls=http://127.0.0.1:" + client,
                        "--advertise-client-urls=http://127.0.0.1:" + client,
                        "--listen-peer-urls=http://127.0.0.1:" + peer,
                        "--initial-advertise-peer-urls=http://127.0.0.1:" + peer,
                        "--initial-cluster=test=http://127.0.0.1:" + peer,
                        "--unsafe-no-fsync"));
        var kubeApiserver = Files.createSymbolicLink(directory.resolve("kube-apiserver"), binaries);
        var key = writeServiceAccountKey(directory.resolve("sa.key"));
        var tokens = Files.writeString(directory.resolve("tokens.csv"), TOKEN + ",admin,admin,system:masters\n");
        start(
                "apiserver",
                List.of(
                        kubeApiserver.toString(),
                        "--etcd-servers=http://127.0.0.1:" + client,
                        "--secure-port=" + api,
                        "--bind-address=127.0.0.1",
                        "--cert-dir=" + directory.resolve("certs"),
                        "--service-cluster-ip-range=10.99.0.0/16",
                        "--token-auth-file=" + tokens,
                        "--authorization-mode=RBAC",
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--service-account-key-file=" + key,
                        "--service-account-signing-key-file=" + key,
                        "--disable-admission-plugins=ServiceAccount",
                        "--profiling=false"));
        config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + api)
                .withTrustCerts(true)
                .withOauthToken(TOKEN)
                // A machine that runs all of the tests at once is slow, not broken.
                .withConnectionTimeout(60_000)
                .withRequestTimeout(60_000)
                .build();
        try (var probe = client()) {
            await("the API server", () -> isReady(probe));
        }
    }

    /** The one of this JVM, started at the first call; it ends with the JVM. */
    public static ApiServer shared() {
        return Shared.INSTANCE;
    }

    /** A client with all rights; the caller closes it. */
    public KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A client with the rights of this service account; the caller closes it. */
    public KubernetesClient clientOf(String namespace, String serviceAccount) {
        var as = new ConfigBuilder(config)
                .withImpersonateUsername("system:serviceaccount:" + namespace + ":" + serviceAccount)
                .withImpersonateGroups("system:serviceaccounts", "system:authenticated")
                .build();
        return new KubernetesClientBuilder().withConfig(as).build();
    }

    /** Makes a new namespace for one test and returns its name. */
    public String namespace(KubernetesClient client) {
        var name = "test-" + NAMESPACES.incrementAndGet();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        return name;
    }

    /** Installs the project's CRDs from crds/ and waits until the server serves them. */
    public void installCrds(KubernetesClient client) {
        try (var files = Files.list(Path.of("crds"))) {
            for (var file : files.toList()) {
                try (var content = Files.newInputStream(file)) {
                    client.load(content).forceConflicts().serverSideApply();
                }
                var name = file.getFileName().toString().replaceFirst("[.]yaml$", "");
                await(name, () -> established(client, name));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean established(KubernetesClient client, String crd) {
        var definition = client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(crd)
                .get();
        return definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals("Established")
                                && c.getStatus().equals("True"));
    }

    private static boolean isReady(KubernetesClient client) {
        try {
            return "ok".equals(client.raw("/readyz"));
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    private static Path binaries() throws IOException, InterruptedException {
        var tools = Optional.ofNullable(System.getenv("SHARDWRIGHT_TOOLS"))
                .map(Path::of)
                .orElseGet(() -> Path.of(Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                                .orElse(System.getProperty("user.home") + "/.cache"))
                        .resolve("shardwright"));
        var home =
                Optional.ofNullable(System.getenv("CLUSTER_HOME")).map(Path::of).orElse(tools.resolve("cluster"));
        var binary = home.resolve("bin/kubernetes");
        if (!Files.exists(binary) || !commandExists("etcd")) {
            int code = new ProcessBuilder("e2e/cluster/build", "apiserver")
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException(
                        "`e2e/cluster/build apiserver` could not make " + binary + ": see its output above");
            }
        }
        return binary;
    }

    private static boolean commandExists(String command) {
        for (var directory : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(directory, command))) {
                return true;
            }
        }
        return false;
    }

    private void start(String name, List<String> command) throws IOException {
        var log = directory.resolve(name + ".log").toFile();
        processes.add(new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start());
    }

    private void await(String what, BooleanSupplier condition) {
        var end = Instant.now().plus(PATIENCE);
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(end) || processes.stream().anyMatch(process -> !process.isAlive())) {
                throw new IllegalStateException(what + " did not get ready; the logs are in " + directory);
            }
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private static Path writeServiceAccountKey(Path file) throws GeneralSecurityException, IOException {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        var pem = Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
        return Files.writeString(file, "-----BEGIN PRIVATE KEY-----\n" + pem + "\n-----END PRIVATE KEY-----\n");
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void stop() {
        for (var process : processes.reversed()) {
            process.destroy();
            try {
                if (!process.waitFor(5, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
            }
        }
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Holds the shared instance; loading the class starts it. */
    private static final class Shared {
        static final ApiServer INSTANCE = start();

        private static ApiServer start() {
            try {
                var server = new ApiServer(Files.createTempDirectory("apiserver"));
                Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
                return server;
            } catch (IOException | InterruptedException | GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
