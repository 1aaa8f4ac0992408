package dev.shardwright.router;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users who may log in, with their passwords. The file is read again when it looks different; one that
 * can't be read then leaves the last good one in force. Lookups never touch the disk.
 */
final class UsersFile {
    private static final Logger log = LoggerFactory.getLogger(UsersFile.class);
    private static final TypeReference<Map<String, String>> USERS = new TypeReference<>() {};

    private final Path file;
    private final ObjectMapper json = new ObjectMapper();
    private volatile Map<String, String> users;
    private byte[] content;

    /** UncheckedIOException when the file can't be read or is no JSON object of texts. */
    UsersFile(Path file) {
        this.file = file;
        try {
            content = Files.readAllBytes(file);
            users = Map.copyOf(json.readValue(content, USERS));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    file + ": the users file must be a JSON object of user to password: " + e.getMessage(), e);
        }
    }

    @Nullable
    String password(String user) {
        return users.get(user);
    }

    /** Called now and then, off the event loops. */
    synchronized void refresh() {
        try {
            var now = Files.readAllBytes(file);
            if (java.util.Arrays.equals(now, content)) {
                return;
            }
            users = Map.copyOf(json.readValue(now, USERS));
            content = now;
            log.info("read {} users from {}", users.size(), file);
        } catch (IOException e) {
            log.error("{} can't be read, the users known before stay in force: {}", file, e.getMessage());
        }
    }
}
