package dev.shardwright.mysql.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Loopback ports below the range that the kernel gives to outgoing connections, so that a server that is
 * down for a moment finds its port free again. For the same reason none is given out twice while the process lives
 * that was given it: whoever still looks for a server that has gone must not find another one's there.
 */
final class Ports {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 31_999;
    private static final int TRIES = 200;
    /** Each port that was given out is a locked byte, at its number. The locks end with the process. */
    private static final Path GIVEN =
            Path.of(System.getProperty("java.io.tmpdir"), "shardwright-ports-" + System.getProperty("user.name"));

    private static @Nullable FileChannel given;

    private Ports() {}

    static int free() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
            if (isFree(port) && take(port)) {
                return port;
            }
        }
        throw new MysqlServerException("no free port found between " + LOWEST + " and " + HIGHEST + " on loopback");
    }

    private static synchronized boolean take(int port) {
        try {
            if (given == null) {
                given = FileChannel.open(GIVEN, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            }
            return given.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            throw new MysqlServerException(
                    "the file " + GIVEN + ", which keeps two servers from one port, can't be used: " + e.getMessage(),
                    e);
        }
    }

    static boolean isFree(int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
