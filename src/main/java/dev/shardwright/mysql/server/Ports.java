package dev.shardwright.mysql.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loopback ports below the range that the kernel gives to outgoing connections, so that a server that is
 * down for a moment finds its port free again.
 */
final class Ports {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 31_999;
    private static final int TRIES = 200;

    private Ports() {}

    static int free() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
            if (isFree(port)) {
                return port;
            }
        }
        throw new MysqlServerException("no free port found between " + LOWEST + " and " + HIGHEST + " on loopback");
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
