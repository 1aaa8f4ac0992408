package dev.shardwright.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.testing.ApiServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The manifests in examples/ and deploy/ are what a real API server takes, without a field that it does not know. */
class ManifestsIT {
    private static final KubernetesClient CLIENT = ApiServer.shared().client();
    private static String namespace = "";

    @BeforeAll
    static void install() {
        ApiServer.shared().installCrds(CLIENT);
        namespace = ApiServer.shared().namespace(CLIENT);
    }

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    static List<Path> examples() throws IOException {
        return yaml("examples");
    }

    static List<Path> deploy() throws IOException {
        return yaml("deploy");
    }

    private static List<Path> yaml(String directory) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void exampleIsAccepted(Path file) throws IOException {
        for (var object : load(file)) {
            var created = CLIENT.resource(object)
                    .inNamespace(namespace)
                    .fieldValidation(FieldValidateable.Validation.STRICT)
                    .create();
            assertThat(created.getMetadata().getUid()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("deploy")
    void deployIsAccepted(Path file) throws IOException {
        for (var object : load(file)) {
            var applied = CLIENT.resource(object)
                    .fieldValidation(FieldValidateable.Validation.STRICT)
                    .forceConflicts()
                    .serverSideApply();
            assertThat(applied.getMetadata().getUid()).isNotEmpty();
        }
    }

    private static List<HasMetadata> load(Path file) throws IOException {
        try (var content = Files.newInputStream(file)) {
            return CLIENT.load(content).items();
        }
    }
}
