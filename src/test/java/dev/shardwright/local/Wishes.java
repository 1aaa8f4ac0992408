package dev.shardwright.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an engine in a process of its own wants to run, and where it runs, as files: what objects are in Kubernetes.
 * The engine writes {@code NAME.json}; {@link Keeper} writes {@code NAME.at}, a port, while it runs.
 */
record Wishes(Path directory) {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final String WISH = ".json";
    private static final String PLACE = ".at";

    static Wishes in(Path directory) {
        try {
            return new Wishes(Files.createDirectories(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void want(String name, Object content) {
        try {
            var text = JSON.writeValueAsString(content);
            if (!text.equals(read(name + WISH).orElse(""))) {
                write(name + WISH, text);
            }
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    void drop(String name) {
        delete(name + WISH);
    }

    /** The contents of all wishes by name. */
    Map<String, String> all() {
        var found = new TreeMap<String, String>();
        try (var files = Files.list(directory)) {
            for (var file : files.toList()) {
                var name = file.getFileName().toString();
                if (name.endsWith(WISH)) {
                    read(name).ifPresent(text -> found.put(name.substring(0, name.length() - WISH.length()), text));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    Optional<Integer> port(String name) {
        return read(name + PLACE).map(Integer::parseInt);
    }

    void runs(String name, int port) {
        write(name + PLACE, Integer.toString(port));
    }

    void gone(String name) {
        delete(name + PLACE);
    }

    private Optional<String> read(String file) {
        try {
            return Optional.of(Files.readString(directory.resolve(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String file, String text) {
        try {
            var next = Files.createTempFile(directory, file, ".new");
            Files.writeString(next, text);
            Files.move(next, directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void delete(String file) {
        try {
            Files.deleteIfExists(directory.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
