package dev.shardwright.local;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.api.KeyspaceSpec;
import dev.shardwright.mysql.admin.AppUser;
import dev.shardwright.mysql.admin.MysqlAccount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The passwords of a local keyspace: made once, kept in two files that only their owner can read. */
final class LocalAccounts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<TreeMap<String, String>> PASSWORDS = new TypeReference<>() {};
    private static final int BYTES = 12;

    private final Path usersFile;
    private final Map<String, String> users;
    private final Map<String, String> own;
    private final List<KeyspaceSpec.UserSpec> specs;

    private LocalAccounts(
            Path usersFile, Map<String, String> users, Map<String, String> own, List<KeyspaceSpec.UserSpec> specs) {
        this.usersFile = usersFile;
        this.users = users;
        this.own = own;
        this.specs = specs;
    }

    /** Reads the passwords of this directory, and makes those that are not there yet. */
    static LocalAccounts of(Path directory, List<KeyspaceSpec.UserSpec> specs) {
        var usersFile = directory.resolve("users.json");
        var ownFile = directory.resolve("accounts.json");
        var users = ensure(
                usersFile, specs.stream().map(KeyspaceSpec.UserSpec::name).toList());
        var own = ensure(ownFile, List.of(MysqlAccount.OPERATOR, MysqlAccount.MOVER));
        return new LocalAccounts(usersFile, users, own, specs);
    }

    private static Map<String, String> ensure(Path file, List<String> names) {
        try {
            var passwords =
                    Files.exists(file) ? JSON.readValue(file.toFile(), PASSWORDS) : new TreeMap<String, String>();
            names.forEach(name -> passwords.computeIfAbsent(name, _ -> password()));
            if (!Files.exists(file)) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            JSON.writeValue(file.toFile(), passwords);
            return passwords;
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": " + e.getMessage(), e);
        }
    }

    private static String password() {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** JSON object of user to password, as routers read it. */
    Path usersFile() {
        return usersFile;
    }

    MysqlAccount operator() {
        return own(MysqlAccount.OPERATOR);
    }

    MysqlAccount mover() {
        return own(MysqlAccount.MOVER);
    }

    private MysqlAccount own(String name) {
        return new MysqlAccount(name, Objects.requireNonNull(own.get(name)));
    }

    /** The applications' users; the first one is shown to people. */
    List<AppUser> users() {
        return specs.stream()
                .map(spec ->
                        new AppUser(spec.name(), Objects.requireNonNull(users.get(spec.name())), spec.privileges()))
                .toList();
    }
}
