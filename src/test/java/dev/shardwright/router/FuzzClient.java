package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.wire.AuthSwitch;
import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.ClientLogin;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ServerGreeting;
import dev.shardwright.testing.TestServers;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;

/** A client that logs in properly and then sends whatever it is told to; it reads what its answers were before compression. */
final class FuzzClient implements AutoCloseable {
    private static final int UTF8MB4_GENERAL_CI = 45;

    private final Socket socket;
    private final FuzzDialect dialect;
    private final DataInputStream wire;
    private final int id;
    private InputStream answers;

    FuzzClient(int port, FuzzDialect dialect) throws IOException {
        this(port, dialect, CachingSha2.PLUGIN);
    }

    /** @param plugin another one than the router's: it is asked to switch */
    FuzzClient(int port, FuzzDialect dialect, String plugin) throws IOException {
        this.dialect = dialect;
        socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
        wire = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        answers = wire;
        var greeting = ServerGreeting.read(Unpooled.wrappedBuffer(packet()));
        id = greeting.connectionId();
        var login = Unpooled.buffer();
        var proof = CachingSha2.scramble(TestServers.APP.password(), greeting.nonce());
        new ClientLogin(
                        dialect.capabilities(),
                        1 << 24,
                        UTF8MB4_GENERAL_CI,
                        TestServers.APP.user(),
                        proof,
                        TestServers.KEYSPACE,
                        plugin)
                .write(login, 1);
        login.readBytes(socket.getOutputStream(), login.readableBytes());
        if (!plugin.equals(CachingSha2.PLUGIN)) {
            switched(packet());
        }
        packet();
        assertThat(packet()[0]).as("OK to the login").isZero();
        if (dialect.compressed()) {
            answers = new Unpacking();
        }
    }

    private void switched(byte[] asked) throws IOException {
        assertThat(asked[0]).as("asks to switch").isEqualTo((byte) AuthSwitch.HEADER);
        int end = asked.length - 1;
        var nonce = Arrays.copyOfRange(asked, end - CachingSha2.NONCE_LENGTH, end);
        var proof = Unpooled.buffer();
        PacketBuilder.begin(proof, 3)
                .bytes(CachingSha2.scramble(TestServers.APP.password(), nonce))
                .end();
        proof.readBytes(socket.getOutputStream(), proof.readableBytes());
    }

    /** The id that the login was told. */
    int id() {
        return id;
    }

    void write(byte[] packets) throws IOException {
        writeAsIs(dialect.compressed() ? dialect.packed(packets) : packets);
    }

    void writeAsIs(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** At most so many bytes: fewer where the answers end, or nothing more comes. */
    byte[] read(int bytes) throws IOException {
        var all = new ByteArrayOutputStream();
        try {
            for (int b = 0; all.size() < bytes && (b = answers.read()) >= 0; ) {
                all.write(b);
            }
        } catch (SocketTimeoutException e) {
            // The bytes so far tell more than that.
        }
        return all.toByteArray();
    }

    /** What has come, at least one byte. */
    byte[] readSome() throws IOException {
        return answers.readNBytes(Math.max(1, answers.available()));
    }

    /** Reads until nothing has come for so long, or the router has closed the connection. */
    void drain(int quietMillis) throws IOException {
        socket.setSoTimeout(quietMillis);
        try {
            wire.readAllBytes();
        } catch (SocketTimeoutException e) {
            // Nothing more to come.
        }
    }

    /** Says that nothing more will be sent, and reads until the router closes the connection. */
    void endAndDrain() throws IOException {
        socket.shutdownOutput();
        wire.readAllBytes();
    }

    /** What the router has not read is lost, and it gets a reset instead of an end. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
    }

    private byte[] packet() throws IOException {
        int length = medium();
        wire.readByte();
        return wire.readNBytes(length);
    }

    private int medium() throws IOException {
        return wire.readUnsignedByte() | wire.readUnsignedByte() << 8 | wire.readUnsignedByte() << 16;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private final class Unpacking extends InputStream {
        private byte[] packet = new byte[0];
        private int at;

        @Override
        public int read() throws IOException {
            while (at == packet.length) {
                int first = wire.read();
                if (first < 0) {
                    return -1;
                }
                int length = first | wire.readUnsignedByte() << 8 | wire.readUnsignedByte() << 16;
                wire.readByte();
                int before = medium();
                var body = wire.readNBytes(length);
                packet = before == 0 ? body : dialect.unpacked(body, before);
                at = 0;
            }
            return packet[at++] & 0xff;
        }

        @Override
        public int available() {
            return packet.length - at;
        }
    }
}
