package dev.shardwright.router;

import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.ClientLogin;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.LogicalPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner;
import dev.shardwright.mysql.wire.ServerGreeting;
import dev.shardwright.testing.TestServers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A client that keeps every byte of its answers; for a router and for a server itself. */
final class RawClient implements AutoCloseable {
    static final int CAPABILITIES = Capability.PROTOCOL_41
            | Capability.PLUGIN_AUTH
            | Capability.PLUGIN_AUTH_LENENC_DATA
            | Capability.SECURE_CONNECTION
            | Capability.TRANSACTIONS
            | Capability.MULTI_RESULTS
            | Capability.PS_MULTI_RESULTS
            | Capability.CONNECT_WITH_DB;
    private static final int UTF8MB4_GENERAL_CI = 45;

    private final Socket socket;
    private final DataInputStream in;
    private final int capabilities;
    private int sequence;
    private int firstOfAnswer = 1;
    private byte[] welcome = new byte[0];

    private RawClient(Socket socket, int capabilities) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.capabilities = capabilities;
    }

    /** @param more capabilities beside {@link #CAPABILITIES} */
    static RawClient connect(int port, int more) throws IOException {
        return connectWith(port, CAPABILITIES | more);
    }

    static RawClient connectWith(int port, int capabilities) throws IOException {
        var socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(10_000);
        var client = new RawClient(socket, capabilities);
        client.logIn();
        return client;
    }

    private void logIn() throws IOException {
        var greeting = ServerGreeting.read(Unpooled.wrappedBuffer(packet()));
        var login = Unpooled.buffer();
        var password = TestServers.APP.password();
        new ClientLogin(
                        capabilities,
                        1 << 30,
                        UTF8MB4_GENERAL_CI,
                        TestServers.APP.user(),
                        CachingSha2.scramble(password, greeting.nonce()),
                        TestServers.KEYSPACE,
                        CachingSha2.PLUGIN)
                .write(login, 1);
        write(login);
        var more = packet();
        if (more[0] == CachingSha2.MORE_DATA && more[1] == CachingSha2.FULL_AUTHENTICATION) {
            packet(new byte[] {CachingSha2.REQUEST_PUBLIC_KEY});
            var key = packet();
            var pem = new String(key, 1, key.length - 1, StandardCharsets.US_ASCII);
            packet(CachingSha2.encrypt(password, greeting.nonce(), pem));
        }
        var ok = packet();
        if (ok[0] != 0) {
            throw new IOException("login refused: " + new String(ok, StandardCharsets.UTF_8));
        }
        welcome = ok;
    }

    /** COM_CHANGE_USER to the same user and database, proven when the server asks for it. */
    void changeUser(int collation) throws IOException {
        var command = Unpooled.buffer();
        PacketBuilder.begin(command, 0)
                .int1(CommandByte.CHANGE_USER)
                .nulTerminated(TestServers.APP.user())
                .int1(0)
                .nulTerminated(TestServers.KEYSPACE)
                .int2(collation)
                .nulTerminated(CachingSha2.PLUGIN)
                .end();
        write(command);
        var asked = packet();
        var nonce = Arrays.copyOfRange(asked, asked.length - 1 - CachingSha2.NONCE_LENGTH, asked.length - 1);
        packet(CachingSha2.scramble(TestServers.APP.password(), nonce));
        for (var answer = packet(); answer[0] != 0; answer = packet()) {
            if (answer[0] != CachingSha2.MORE_DATA || answer[1] != CachingSha2.FAST_SUCCESS) {
                throw new IOException("refused: " + new String(answer, StandardCharsets.UTF_8));
            }
        }
    }

    /** Payload of the packet that ended the login. */
    byte[] welcome() {
        return welcome;
    }

    /** Sends bytes that need not be a packet. */
    void bytes(byte[] any) throws IOException {
        socket.getOutputStream().write(any);
    }

    /** Sends a packet that follows the last one that was read. */
    void packet(byte[] payload) throws IOException {
        var out = Unpooled.buffer();
        int next = PacketBuilder.begin(out, PacketBuilder.next(sequence))
                .bytes(payload)
                .end();
        write(out);
        sequence = next - 1 & 0xff;
    }

    /** The next packet's payload. */
    byte[] packet() throws IOException {
        int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
        sequence = in.readUnsignedByte();
        return in.readNBytes(length);
    }

    int sequence() {
        return sequence;
    }

    /** The answer to a query, all its results, headers included. */
    byte[] query(String sql) throws IOException {
        return ask(0x03, sql.getBytes(StandardCharsets.UTF_8), ResponseScanner.Kind.RESULT);
    }

    void send(int command, byte[] body) throws IOException {
        var out = Unpooled.buffer();
        PacketBuilder.begin(out, 0).int1(command).bytes(body).end();
        firstOfAnswer = LogicalPacket.count(out.readableBytes());
        write(out);
    }

    byte[] ask(int command, byte[] body, ResponseScanner.Kind kind) throws IOException {
        send(command, body);
        return answer(kind);
    }

    /** What comes until the answer, or the connection, has ended. */
    byte[] answerOrEnd(ResponseScanner.Kind kind) throws IOException {
        var scanner = new ResponseScanner(capabilities);
        scanner.begin(kind, firstOfAnswer);
        var all = Unpooled.buffer();
        int scanned = 0;
        while (!scanner.done()) {
            var some = in.readNBytes(Math.max(1, in.available()));
            if (some.length == 0) {
                break;
            }
            all.writeBytes(some);
            scanned += scanner.scan(all.slice(scanned, all.readableBytes() - scanned));
            scanner.checkSound();
        }
        return ByteBufUtil.getBytes(all);
    }

    byte[] answer(ResponseScanner.Kind kind) throws IOException {
        var scanner = new ResponseScanner(capabilities);
        scanner.begin(kind, firstOfAnswer);
        var all = Unpooled.buffer();
        int scanned = 0;
        while (!scanner.done()) {
            try {
                var more = in.readNBytes(Math.max(1, in.available()));
                if (more.length == 0) {
                    throw new EOFException("closed after: " + ByteBufUtil.hexDump(all));
                }
                all.writeBytes(more);
            } catch (SocketTimeoutException e) {
                throw new IOException("only this has come: " + ByteBufUtil.hexDump(all), e);
            }
            scanned += scanner.scan(all.slice(scanned, all.readableBytes() - scanned));
            scanner.checkSound();
        }
        if (scanned < all.readableBytes()) {
            throw new IOException("more than an answer: " + ByteBufUtil.hexDump(all));
        }
        return ByteBufUtil.getBytes(all);
    }

    private void write(ByteBuf out) throws IOException {
        out.readBytes(socket.getOutputStream(), out.readableBytes());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
