package dev.shardwright.mysql.server;

import dev.shardwright.mysql.admin.Bootstrap;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Data directories ready to be copied: initialising one takes seconds, copying it a fraction. Shared by
 * all processes of a user; one lock file serves them one after another.
 */
final class DataTemplate {
    /** System property: where templates are kept, instead of the user's cache. */
    static final String PROPERTY = "shardwright.mysql.templates";

    private static final Duration INITIALISE = Duration.ofSeconds(180);
    private static final Duration LOCK = Duration.ofSeconds(400);
    /**
     * More than the tests of two checkouts and some local keyspaces, with passwords of their own, need together: with
     * too few each throws out what the other is about to want. One is 90 MB.
     */
    private static final int KEPT = 16;

    private final MysqlHome home;
    private final Path cache;

    DataTemplate(MysqlHome home) {
        this.home = home;
        this.cache = cacheDirectory();
    }

    private static Path cacheDirectory() {
        var named = System.getProperty(PROPERTY);
        if (named != null) {
            return Path.of(named).toAbsolutePath();
        }
        var userCache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(text -> !text.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
        return userCache.resolve("shardwright").resolve("mysql-templates").toAbsolutePath();
    }

    /** Makes {@code target} a new data directory; it appears complete or not at all. */
    void copyTo(Path target, Bootstrap bootstrap) {
        // File locks are held by the whole JVM, so its threads take turns by the monitor.
        synchronized (DataTemplate.class) {
            try {
                Files.createDirectories(cache);
                try (var channel = FileChannel.open(
                                cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        var lock = lock(channel)) {
                    assert lock.isValid();
                    var unfinished = target.resolveSibling(target.getFileName() + ".new");
                    Trees.delete(unfinished);
                    Trees.copy(template(bootstrap), unfinished);
                    Files.move(unfinished, target);
                }
            } catch (IOException e) {
                throw new MysqlServerException("the data directory " + target + " can't be made: " + e.getMessage(), e);
            }
        }
    }

    private static FileLock lock(FileChannel channel) throws IOException {
        var deadline = System.nanoTime() + LOCK.toNanos();
        while (true) {
            var lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        "another process has held the lock of the MySQL templates for " + LOCK.toSeconds() + " s");
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for the lock of the MySQL templates", e);
            }
        }
    }

    private Path template(Bootstrap bootstrap) throws IOException {
        var sql = bootstrap.templateSql();
        // Any place and uid will do: what an initialisation reads of the settings is the same for all.
        var settings = ServerSettings.myCnf(ServerPlace.local(Path.of("/"), 1), "template", List.of());
        var template =
                cache.resolve(digest(home.version() + home.mysqld() + InitScript.options("", "") + settings + sql));
        if (!Files.isDirectory(template)) {
            forgetOldest();
            initialise(template, sql);
        }
        Files.setLastModifiedTime(template, FileTime.from(Instant.now()));
        return template;
    }

    private void initialise(Path template, String sql) throws IOException {
        var work = template.resolveSibling(template.getFileName() + ".work");
        Trees.delete(work);
        Files.createDirectories(work.resolve("tmp"));
        var place = ServerPlace.local(work, 1);
        var config = Files.writeString(work.resolve("my.cnf"), ServerSettings.myCnf(place, "template", List.of()));
        var init = Files.writeString(work.resolve("init.sql"), sql);
        var server = ServerProcess.start(
                home, work.resolve("output.log"), InitScript.options(config.toString(), init.toString()));
        int exit;
        try {
            exit = server.await(INITIALISE);
        } catch (MysqlServerException e) {
            server.kill();
            throw e;
        }
        if (exit != 0) {
            var logs = ServerProcess.tail(work.resolve("error.log")) + ServerProcess.tail(work.resolve("output.log"));
            Trees.delete(work);
            throw new MysqlServerException("mysqld could not make a data directory:" + logs);
        }
        // Each copy draws its own server uuid.
        Files.deleteIfExists(work.resolve("data").resolve("auto.cnf"));
        forgetSpareRedoFiles(work.resolve("data").resolve("#innodb_redo"));
        Files.move(work.resolve("data"), template);
        Trees.delete(work);
    }

    /** InnoDB makes them again; without them a copy is half as large. */
    private static void forgetSpareRedoFiles(Path redo) throws IOException {
        try (var spares = Files.newDirectoryStream(redo, "*_tmp")) {
            for (var spare : spares) {
                Files.delete(spare);
            }
        }
    }

    private void forgetOldest() throws IOException {
        try (var entries = Files.list(cache)) {
            var templates = entries.filter(Files::isDirectory)
                    .sorted(Comparator.comparing(DataTemplate::lastUse).reversed())
                    .toList();
            for (var old : templates.subList(Math.min(templates.size(), KEPT - 1), templates.size())) {
                Trees.delete(old);
            }
        }
    }

    private static FileTime lastUse(Path template) {
        try {
            return Files.getLastModifiedTime(template);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    private static String digest(String text) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
