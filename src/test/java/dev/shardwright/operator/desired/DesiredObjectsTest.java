package dev.shardwright.operator.desired;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.Keyspace;
import dev.shardwright.api.Shard;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The objects of a keyspace and a shard (in.yaml) as they are sent to Kubernetes (out-*.yaml). With
 * SHARDWRIGHT_UPDATE=1 in the environment the golden files are written anew, to be read before they are committed.
 */
class DesiredObjectsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/operator");

    static List<Path> cases() throws IOException {
        try (Stream<Path> directories = Files.list(GOLDEN)) {
            return directories.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void objectsAreTheGoldenOnes(Path directory) throws IOException {
        var objects = desired(directory.resolve("in.yaml"));
        if (System.getenv("SHARDWRIGHT_UPDATE") != null) {
            write(directory, objects);
        }
        for (var object : objects) {
            assertThat(file(directory, object)).hasContent(Serialization.asYaml(object));
        }
        assertThat(goldenFiles(directory))
                .as("golden files without an object")
                .containsExactlyElementsOf(new TreeSet<>(
                        objects.stream().map(object -> file(directory, object)).toList()));
    }

    private static List<HasMetadata> desired(Path input) throws IOException {
        var documents = Files.readString(input).split("(?m)^---\n");
        var keyspace = Serialization.unmarshal(documents[0], Keyspace.class);
        var shard = Serialization.unmarshal(documents[1], Shard.class);
        var runtime = new Runtime("ghcr.io/shardwright/shardwright:golden", "IfNotPresent");
        var objects = new ArrayList<HasMetadata>();
        objects.addAll(ShardObjects.of(keyspace, shard));
        objects.addAll(RouterObjects.of(keyspace, runtime));
        objects.addAll(MoverObjects.of(
                keyspace.getMetadata().getNamespace(),
                keyspace.getMetadata().getName(),
                "workflow/source",
                "{}",
                Owned.reference(keyspace),
                runtime));
        return objects;
    }

    private static Path file(Path directory, HasMetadata object) {
        return directory.resolve(
                "out-" + object.getKind() + "-" + object.getMetadata().getName() + ".yaml");
    }

    private static List<Path> goldenFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("out-"))
                    .sorted()
                    .toList();
        }
    }

    private static void write(Path directory, List<HasMetadata> objects) throws IOException {
        for (var old : goldenFiles(directory)) {
            Files.delete(old);
        }
        for (var object : objects) {
            Files.writeString(file(directory, object), Serialization.asYaml(object));
        }
    }
}
