package dev.shardwright.router;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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
    /** What passwords were before they changed. */
    private volatile Map<String, String> former = Map.of();

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

    /** The password before the one of now; null when it has not changed since the start. */
    @Nullable
    String formerPassword(String user) {
        return former.get(user);
    }

    /** Called now and then, off the event loops. */
    synchronized void refresh() {
        try {
            var now = Files.readAllBytes(file);
            if (java.util.Arrays.equals(now, content)) {
                return;
            }
            var read = Map.copyOf(json.readValue(now, USERS));
            former = changed(read);
            users = read;
            content = now;
            log.info("read {} users from {}", users.size(), file);
        } catch (IOException e) {
            log.error("{} can't be read, the users known before stay in force: {}", file, e.getMessage());
        }
    }

    private Map<String, String> changed(Map<String, String> read) {
        var earlier = new HashMap<>(former);
        users.forEach((user, password) -> {
            if (!password.equals(read.get(user))) {
                earlier.put(user, password);
            }
        });
        earlier.keySet().retainAll(read.keySet());
        return Map.copyOf(earlier);
    }
}
