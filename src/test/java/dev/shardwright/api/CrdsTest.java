package dev.shardwright.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The CRDs in crds/ are generated from the Java types; {@code make crds} writes them anew. */
class CrdsTest {
    private static final Path KEPT = Path.of("crds");
    private static final Path DEPLOYED = Path.of("deploy");

    @TempDir
    Path scratch;

    static List<Class<? extends CustomResource<?, ?>>> types() {
        return Crds.TYPES;
    }

    @ParameterizedTest
    @MethodSource("types")
    void keptCrdIsTheGeneratedOne(Class<? extends CustomResource<?, ?>> type) throws IOException {
        var kept = KEPT.resolve(HasMetadata.getFullResourceName(type) + ".yaml");
        var generated = Crds.yaml(type, scratch);
        var deployed = DEPLOYED.resolve("10-" + HasMetadata.getPlural(type) + ".yaml");
        if (System.getenv("SHARDWRIGHT_UPDATE") != null) {
            Files.writeString(kept, generated);
            Files.writeString(deployed, generated);
        }
        assertThat(List.of(kept, deployed))
                .as("the CRDs must be what the Java types in dev.shardwright.api say; run: make crds")
                .allSatisfy(file -> assertThat(file).hasContent(generated));
    }

    @Test
    void noOtherCrdIsKept() throws IOException {
        try (Stream<Path> files = Files.list(KEPT)) {
            assertThat(files).hasSameSizeAs(Crds.TYPES);
        }
    }
}
