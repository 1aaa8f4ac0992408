package dev.shardwright.router;

import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.ServerGreeting;
import dev.shardwright.mysql.wire.ServerStatus;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Greets like a MySQL server and says one thing more; keeps all that it is sent. */
final class RecordingServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<byte[]> received = new CopyOnWriteArrayList<>();
    private final byte[] greeting;
    private final byte[] after;
    private final boolean atOnce;

    /**
     * @param capabilities what it offers
     * @param after sent after the greeting
     * @param atOnce whether without waiting for an answer to the greeting
     */
    RecordingServer(int capabilities, byte[] after, boolean atOnce) throws IOException {
        var out = Unpooled.buffer();
        new ServerGreeting(
                        "9.7.0",
                        7,
                        CachingSha2.freshNonce(),
                        capabilities,
                        255,
                        ServerStatus.AUTOCOMMIT,
                        CachingSha2.PLUGIN)
                .write(out);
        greeting = new byte[out.readableBytes()];
        out.readBytes(greeting);
        this.after = after;
        this.atOnce = atOnce;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** What each connection that has ended has sent. */
    List<byte[]> received() {
        return received;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        var all = new ByteArrayOutputStream();
        try (socket) {
            var first = new ByteArrayOutputStream();
            first.write(greeting);
            if (atOnce) {
                first.write(after);
            }
            socket.getOutputStream().write(first.toByteArray());
            var buffer = new byte[8_192];
            boolean answered = atOnce;
            for (int n = read(socket, buffer); n >= 0; n = read(socket, buffer)) {
                all.write(buffer, 0, n);
                if (!answered) {
                    answered = true;
                    socket.getOutputStream().write(after);
                }
            }
        } catch (IOException e) {
            // The router has hung up; what counts is what it had sent.
        }
        received.add(all.toByteArray());
    }

    private static int read(Socket socket, byte[] buffer) {
        try {
            return socket.getInputStream().read(buffer);
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
