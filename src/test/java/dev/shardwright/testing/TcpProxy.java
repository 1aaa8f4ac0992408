package dev.shardwright.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A loopback port that leads to another one, and can be cut and opened again; for tests of lost connections. */
public final class TcpProxy implements AutoCloseable {
    private final int target;
    private final int port;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private @Nullable ServerSocket listener;

    public TcpProxy(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.port = listener.getLocalPort();
        accept(listener);
    }

    public int port() {
        return port;
    }

    /** Ends all connections and refuses new ones. */
    public synchronized void cut() {
        if (listener != null) {
            close(listener);
            listener = null;
        }
        sockets.forEach(TcpProxy::close);
        sockets.clear();
    }

    /** Lets new connections through again. */
    public synchronized void open() throws IOException {
        var again = new ServerSocket();
        again.setReuseAddress(true);
        again.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        listener = again;
        accept(again);
    }

    @Override
    public void close() {
        cut();
    }

    private void accept(ServerSocket from) {
        Thread.ofVirtual().start(() -> {
            while (!from.isClosed()) {
                try {
                    connect(from.accept());
                } catch (IOException e) {
                    // The listener was closed, or the target refused: the client sees its connection end.
                }
            }
        });
    }

    private void connect(Socket client) throws IOException {
        sockets.add(client);
        try {
            var server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(server);
            copy(client, server);
            copy(server, client);
        } catch (IOException e) {
            close(client);
            throw e;
        }
    }

    private static void copy(Socket from, Socket to) {
        Thread.ofVirtual().start(() -> {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // One side ended: try-with-resources ends the other.
            }
        });
    }

    private static void close(java.io.Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
