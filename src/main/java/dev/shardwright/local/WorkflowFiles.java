package dev.shardwright.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The workflows of a local keyspace: {@code NAME.yaml} is what somebody wants, {@code NAME.json} is how
 * far it is. Files are replaced whole, so readers in other processes never see half of one.
 */
final class WorkflowFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path directory;

    WorkflowFiles(Path keyspaceDirectory) {
        directory = keyspaceDirectory.resolve("workflows");
    }

    /** Checks and stores a ReshardWorkflow; returns its name. IllegalArgumentException says what is wrong with it. */
    String apply(String yaml) {
        var workflow = LocalResources.workflow(yaml);
        SpecRules.check(workflow.spec());
        replace(workflow.name() + ".yaml", yaml.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return workflow.name();
    }

    List<String> names() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".yaml"))
                    .map(file -> file.substring(0, file.length() - ".yaml".length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String yaml(String name) {
        try {
            return Files.readString(directory.resolve(name + ".yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<WorkflowStatus> status(String name) {
        var file = directory.resolve(name + ".json");
        try {
            return Optional.of(JSON.readValue(Files.readAllBytes(file), WorkflowStatus.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": " + e.getMessage(), e);
        }
    }

    void write(WorkflowStatus status) {
        try {
            replace(status.name() + ".json", JSON.writeValueAsBytes(status));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void replace(String name, byte[] content) {
        try {
            Files.createDirectories(directory);
            var next = Files.createTempFile(directory, name, ".new");
            Files.write(next, content);
            Files.move(
                    next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
