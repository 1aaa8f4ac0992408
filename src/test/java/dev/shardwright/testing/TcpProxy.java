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
    private volatile boolean silent;

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

    /** Lets nothing through any more, and says so to nobody: what packets are lost on. */
    public void silence() {
        silent = true;
    }

    /** After {@link #silence}: nothing was lost, it comes late. */
    public void goOn() {
        silent = false;
    }

    /** After {@link #silence}: the connections of before are lost, new ones pass. */
    public synchronized void reopen() {
        sockets.forEach(TcpProxy::close);
        sockets.clear();
        silent = false;
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

    private void copy(Socket from, Socket to) {
        Thread.ofVirtual().start(() -> {
            try (from;
                    to) {
                var buffer = new byte[8192];
                for (int read = from.getInputStream().read(buffer);
                        read >= 0;
                        read = from.getInputStream().read(buffer)) {
                    awaitSound(from);
                    to.getOutputStream().write(buffer, 0, read);
                }
                awaitSound(from);
            } catch (IOException e) {
                // One side ended: try-with-resources ends the other.
            }
        });
    }

    private void awaitSound(Socket socket) throws IOException {
        while (silent) {
            if (socket.isClosed()) {
                throw new IOException("closed");
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private static void close(java.io.Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
