package dev.shardwright.router;

import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.OkPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ServerGreeting;
import dev.shardwright.mysql.wire.ServerStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Says to each statement what a test wants, as no real server could be made to; takes every login. */
final class ScriptedServer implements AutoCloseable {
    /** What a server does after an answer. */
    enum Then {
        GO_ON,
        CLOSE,
        STAY_SILENT
    }

    record Reply(byte[] bytes, Then then) {}

    private static final int OFFERED = Capability.SHARED
            | Capability.CONNECT_WITH_DB
            | Capability.SECURE_CONNECTION
            | Capability.PLUGIN_AUTH
            | Capability.PLUGIN_AUTH_LENENC_DATA;

    private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final Map<String, IntFunction<Reply>> scripts = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean frozen;
    private volatile int pauseMillis;

    ScriptedServer() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** @param reply by how often the statement was asked before */
    void answer(String sql, IntFunction<Reply> reply) {
        scripts.put(sql, reply);
        asked.put(sql, new AtomicInteger());
    }

    void answer(String sql, byte[] bytes) {
        answer(sql, _ -> new Reply(bytes, Then.GO_ON));
    }

    /** How often since its answer was set. */
    int asked(String sql) {
        return asked.get(sql).get();
    }

    /** While it is frozen it answers nothing, not even a new connection. */
    void freeze(boolean now) {
        frozen = now;
    }

    /** Between any two bytes of a greeting. */
    void greetSlowly(int millis) {
        pauseMillis = millis;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var socket = listener.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            greet(socket);
            var in = new DataInputStream(socket.getInputStream());
            packet(in);
            int status = ServerStatus.AUTOCOMMIT;
            send(socket, OkPacket.of(status), 2);
            while (true) {
                var command = packet(in);
                var sql = command[0] == CommandByte.QUERY
                        ? new String(command, 1, command.length - 1, StandardCharsets.UTF_8)
                        : "";
                var script = scripts.get(sql);
                if (script != null) {
                    if (!followed(socket, script.apply(asked.get(sql).getAndIncrement()))) {
                        return;
                    }
                } else if (!sql.isEmpty() || command[0] == CommandByte.PING) {
                    status = sql.startsWith("START") ? status | ServerStatus.IN_TRANSACTION : status;
                    status = sql.equals("ROLLBACK") ? status & ~ServerStatus.IN_TRANSACTION : status;
                    waitWhileFrozen();
                    send(socket, OkPacket.of(status), 1);
                } else if (command[0] == CommandByte.SET_OPTION) {
                    waitWhileFrozen();
                    var out = Unpooled.buffer();
                    OkPacket.writeEof(out, 1, status, 0);
                    out.readBytes(socket.getOutputStream(), out.readableBytes());
                }
            }
        } catch (IOException e) {
            // The router has hung up.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(socket);
        }
    }

    private void waitWhileFrozen() throws InterruptedException {
        while (frozen) {
            Thread.sleep(10);
        }
    }

    private void greet(Socket socket) throws IOException, InterruptedException {
        waitWhileFrozen();
        var out = Unpooled.buffer();
        new ServerGreeting(
                        "9.7.0", 7, CachingSha2.freshNonce(), OFFERED, 255, ServerStatus.AUTOCOMMIT, CachingSha2.PLUGIN)
                .write(out);
        if (pauseMillis == 0) {
            out.readBytes(socket.getOutputStream(), out.readableBytes());
        }
        while (out.isReadable()) {
            out.readBytes(socket.getOutputStream(), 1);
            Thread.sleep(pauseMillis);
        }
    }

    private boolean followed(Socket socket, Reply reply) throws IOException, InterruptedException {
        waitWhileFrozen();
        socket.getOutputStream().write(reply.bytes);
        if (reply.then == Then.STAY_SILENT) {
            socket.getInputStream().readAllBytes();
        }
        return reply.then == Then.GO_ON;
    }

    private static void send(Socket socket, OkPacket ok, int sequence) throws IOException {
        var out = Unpooled.buffer();
        ok.write(out, sequence);
        out.readBytes(socket.getOutputStream(), out.readableBytes());
    }

    private static byte[] packet(DataInputStream in) throws IOException {
        int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
        in.readByte();
        var packet = new byte[length];
        in.readFully(packet);
        return packet;
    }

    /** A result set of one column of numbers. */
    static byte[] rows(String column, long... values) {
        return rows(ServerStatus.AUTOCOMMIT, column, values);
    }

    static byte[] rows(int status, String column, long... values) {
        var out = Unpooled.buffer();
        int sequence = PacketBuilder.begin(out, 1).lengthEncoded(1).end();
        sequence = PacketBuilder.begin(out, sequence)
                .lengthEncodedText("def")
                .lengthEncodedText("chat")
                .lengthEncodedText("messages")
                .lengthEncodedText("messages")
                .lengthEncodedText(column)
                .lengthEncodedText(column)
                .int1(12)
                .int2(63)
                .int4(21)
                .int1(8)
                .int2(1)
                .int1(0)
                .int2(0)
                .end();
        for (long value : values) {
            sequence = PacketBuilder.begin(out, sequence)
                    .lengthEncodedText(Long.toString(value))
                    .end();
        }
        OkPacket.writeEnd(out, sequence, status, 0, true);
        return ByteBufUtil.getBytes(out);
    }

    static byte[] ok() {
        ByteBuf out = Unpooled.buffer();
        new OkPacket(1, 0, ServerStatus.AUTOCOMMIT, 0).write(out, 1);
        return ByteBufUtil.getBytes(out);
    }

    /** Where each packet begins, and the end. */
    static int[] packets(byte[] answer) {
        var starts = new java.util.ArrayList<Integer>(List.of(0));
        for (int at = 0; at < answer.length; ) {
            at += PacketBuilder.HEADER + (answer[at] & 0xff | (answer[at + 1] & 0xff) << 8);
            starts.add(at);
        }
        return starts.stream().mapToInt(i -> i).toArray();
    }

    static byte[] cut(byte[] answer, int length) {
        return Arrays.copyOf(answer, length);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (var socket : sockets) {
            socket.close();
        }
    }
}
