package dev.shardwright.mysql.server;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where MySQL's programs are: a directory with {@code bin/mysqld}, or mysqld on the PATH. */
public record MysqlHome(Path mysqld) {
    public static final String PROPERTY = "shardwright.mysql.home";
    public static final String ENVIRONMENT = "SHARDWRIGHT_MYSQL_HOME";

    private static final Pattern VERSION = Pattern.compile("Ver (\\d+)\\.(\\d+)\\.(\\d+)");
    private static final int SECONDS_FOR_VERSION = 30;

    /** The home that the property, the environment or the PATH names; IllegalStateException says what to do. */
    public static MysqlHome find() {
        return named(System.getProperty(PROPERTY), "the system property " + PROPERTY)
                .or(() -> named(System.getenv(ENVIRONMENT), "the environment variable " + ENVIRONMENT))
                .or(MysqlHome::onPath)
                .orElseThrow(() -> new IllegalStateException("no mysqld found: set " + ENVIRONMENT
                        + " to a directory with bin/mysqld (tools/mysql prints one), or put mysqld on the PATH"));
    }

    /** IllegalStateException if there is no mysqld under this directory. */
    public static MysqlHome at(Path home) {
        return named(home.toString(), "the given MySQL home").orElseThrow();
    }

    private static Optional<MysqlHome> named(@Nullable String home, String who) {
        if (home == null || home.isBlank()) {
            return Optional.empty();
        }
        var mysqld = Path.of(home, "bin", "mysqld");
        if (!Files.isExecutable(mysqld)) {
            throw new IllegalStateException(who + " says " + home + ", but " + mysqld + " is not an executable file");
        }
        return Optional.of(new MysqlHome(mysqld.toAbsolutePath()));
    }

    private static Optional<MysqlHome> onPath() {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("") + File.pathSeparator + "/usr/sbin";
        for (var directory : path.split(File.pathSeparator, -1)) {
            var mysqld = Path.of(directory, "mysqld");
            if (Files.isExecutable(mysqld)) {
                return Optional.of(new MysqlHome(mysqld.toAbsolutePath()));
            }
        }
        return Optional.empty();
    }

    /** The server's version, such as {@code 9.7.4}; IllegalStateException if it is older than 8.4 or not MySQL. */
    public String version() {
        var text = output();
        var matcher = VERSION.matcher(text);
        if (!matcher.find() || text.contains("MariaDB")) {
            throw new IllegalStateException(mysqld + " is not a MySQL server; it says: " + text.strip());
        }
        var major = Integer.parseInt(matcher.group(1));
        if (major < 8 || (major == 8 && Integer.parseInt(matcher.group(2)) < 4)) {
            throw new IllegalStateException(
                    mysqld + " is too old, MySQL 8.4 or later is needed; it says: " + text.strip());
        }
        return matcher.group().substring("Ver ".length());
    }

    private String output() {
        try {
            var process = new ProcessBuilder(mysqld.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            // The output is one line, so it fits the pipe and reading can wait until the end.
            if (!process.waitFor(SECONDS_FOR_VERSION, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(mysqld + " --version did not end in " + SECONDS_FOR_VERSION + " s");
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(mysqld + " can't be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking " + mysqld + " for its version", e);
        }
    }
}
