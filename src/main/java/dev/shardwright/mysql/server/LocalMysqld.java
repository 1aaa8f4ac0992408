package dev.shardwright.mysql.server;

import dev.shardwright.mysql.admin.Bootstrap;
import dev.shardwright.mysql.admin.Identity;
import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.mysql.admin.WrongServerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * A shard's MySQL server as a process of this machine, on loopback. Its directory holds the data, the
 * port and the logs, so starting again there serves the same rows at the same address.
 */
public final class LocalMysqld implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(120);
    private static final int PORT_TRIES = 3;

    private final MysqlHome home;
    private final Path directory;
    private final Bootstrap bootstrap;
    private final Identity identity;
    private final List<Setting> settings;
    private int port;
    private ServerProcess process;

    private LocalMysqld(
            MysqlHome home, Path directory, Bootstrap bootstrap, Identity identity, List<Setting> settings) {
        this.home = home;
        this.directory = directory.toAbsolutePath();
        this.bootstrap = bootstrap;
        this.identity = identity;
        this.settings = List.copyOf(settings);
        this.process = firstStart();
    }

    /**
     * Starts the server of this directory, which is made if it is not there yet. Returns when the server
     * answers and has the identity; MysqlServerException with the end of its error log if it does not.
     *
     * @param settings the user's, on top of small defaults
     */
    public static LocalMysqld start(
            MysqlHome home, Path directory, Bootstrap bootstrap, Identity identity, List<Setting> settings) {
        return new LocalMysqld(home, directory, bootstrap, identity, settings);
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    public Path directory() {
        return directory;
    }

    public Identity identity() {
        return identity;
    }

    public long pid() {
        return process.pid();
    }

    public boolean running() {
        return process.alive();
    }

    /** A new connection with short, bounded waits for the network; the caller closes it. */
    public Connection connect(MysqlAccount account) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", account.user());
        properties.setProperty("password", account.password());
        properties.setProperty("sslMode", "DISABLED");
        properties.setProperty("allowPublicKeyRetrieval", "true");
        properties.setProperty("connectTimeout", "5000");
        properties.setProperty("socketTimeout", "60000");
        return DriverManager.getConnection("jdbc:mysql://" + host() + ":" + port + "/", properties);
    }

    /** SIGKILL, as a crash; returns when the process is gone. */
    public void kill() {
        process.kill();
    }

    /** SIGSTOP: it keeps its connections and answers nothing. */
    public void pause() {
        process.pause();
    }

    /** SIGCONT. */
    public void resume() {
        process.resume();
    }

    /** Starts it again with the same data and port, whether it is running, was killed, or was stopped. */
    public void restart() {
        if (process.alive()) {
            process.stop();
        }
        process = launch();
        awaitReady();
    }

    /** Stops it in good order, or hard after half a minute; the directory stays. */
    @Override
    public void close() {
        if (process.alive()) {
            process.stop();
        }
    }

    private ServerProcess firstStart() {
        try {
            Files.createDirectories(directory.resolve("tmp"));
            new LeftoverServer(directory).stop();
            if (!Files.isDirectory(data())) {
                Files.writeString(firstSql(), Bootstrap.identitySql(identity));
                new DataTemplate(home).copyTo(data(), bootstrap);
            }
            return startOnPort();
        } catch (IOException e) {
            throw new MysqlServerException(
                    "the server directory " + directory + " can't be used: " + e.getMessage(), e);
        }
    }

    private ServerProcess startOnPort() throws IOException {
        var remembered = directory.resolve("port");
        if (Files.exists(remembered)) {
            port = Integer.parseInt(Files.readString(remembered).strip());
            if (!Ports.isFree(port)) {
                throw new MysqlServerException("port " + port + ", which the server in " + directory
                        + " had before, is taken by another program: end that program and start again");
            }
            return ready();
        }
        for (int i = 1; ; i++) {
            port = Ports.free();
            try {
                var started = ready();
                Files.writeString(remembered, port + "\n");
                return started;
            } catch (MysqlServerException e) {
                // Between finding a free port and listening on it, another program may have been faster.
                if (i == PORT_TRIES || Ports.isFree(port)) {
                    throw e;
                }
            }
        }
    }

    private ServerProcess ready() throws IOException {
        process = launch();
        awaitReady();
        Files.deleteIfExists(firstSql());
        return process;
    }

    private ServerProcess launch() {
        try {
            var config = directory.resolve("my.cnf");
            Files.writeString(
                    config, ServerSettings.myCnf(ServerPlace.local(directory, port), identity.shardUid(), settings));
            Files.deleteIfExists(directory.resolve("error.log"));
            var arguments = new ArrayList<>(List.of("--defaults-file=" + config));
            if (Files.exists(firstSql())) {
                arguments.add("--init-file=" + firstSql());
            }
            var started = ServerProcess.start(home, directory.resolve("output.log"), arguments);
            new LeftoverServer(directory).remember(started.pid());
            return started;
        } catch (IOException e) {
            throw new MysqlServerException(
                    "the server directory " + directory + " can't be used: " + e.getMessage(), e);
        }
    }

    private void awaitReady() {
        var deadline = System.nanoTime() + START.toNanos();
        while (true) {
            try (var connection = connect(bootstrap.operator())) {
                Identity.check(connection, identity.keyspace(), identity.shardUid());
                checkOwn(connection);
                return;
            } catch (SQLException e) {
                boolean hopeless =
                        e instanceof WrongServerException || e.getErrorCode() == 1045 || System.nanoTime() > deadline;
                if (!process.alive() || hopeless) {
                    throw failed(e);
                }
            }
            pauseBetweenTries();
        }
    }

    /** Another server that was faster on this port may be of a shard with the same name. */
    private void checkOwn(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT @@datadir")) {
            rows.next();
            if (!Path.of(rows.getString(1)).equals(data().normalize())) {
                throw new WrongServerException(
                        "port " + port + " is that of another server, whose data is in " + rows.getString(1));
            }
        }
    }

    private MysqlServerException failed(SQLException e) {
        var ended = process.alive() ? "" : "; mysqld ended";
        if (process.alive()) {
            process.stop();
        }
        return new MysqlServerException(
                "the MySQL server in " + directory + " did not become ready" + ended + ": " + e.getMessage()
                        + ServerProcess.tail(directory.resolve("error.log"))
                        + ServerProcess.tail(directory.resolve("output.log")),
                e);
    }

    private static void pauseBetweenTries() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MysqlServerException("interrupted while waiting for a MySQL server", e);
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    private Path firstSql() {
        return directory.resolve("first.sql");
    }
}
