package dev.shardwright.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBufUtil;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Proxies that tell the client's address, and others that claim to. */
class ProxyProtocolIT {
    /** Version 2, PROXY, TCP over IPv4, from 203.0.113.7:40000 to 198.51.100.1:3306, with an extension. */
    private static final byte[] HEADER = ByteBufUtil.decodeHexDump("0d0a0d0a000d0a515549540a" + "2111" + "0014"
            + "cb007107" + "c6336401" + "9c40" + "0cea" + "0500" + "05" + "6162636465");
    /** The same over IPv6, from 2001:db8::7. */
    private static final byte[] HEADER_6 = ByteBufUtil.decodeHexDump("0d0a0d0a000d0a515549540a" + "2121" + "0024"
            + "20010db8000000000000000000000007" + "20010db8000000000000000000000001" + "9c40" + "0cea");
    /** Version 2, LOCAL. */
    private static final byte[] LOCAL = ByteBufUtil.decodeHexDump("0d0a0d0a000d0a515549540a" + "2000" + "0000");

    private static TestKeyspace behind;
    private static TestKeyspace open;

    @BeforeAll
    static void start() throws Exception {
        behind = keyspace("127.0.0.0/8");
        open = keyspace("10.0.0.0/8");
    }

    private static TestKeyspace keyspace(String network) throws IOException {
        return TestKeyspace.of(
                config -> config.withClients(new RouterConfig.Clients(100, 0, List.of("fd00::/8", network))), "-");
    }

    @AfterAll
    static void stop() throws Exception {
        behind.close();
        open.close();
    }

    @Test
    void aClientBehindAProxyIsServedUnderItsOwnAddress() throws Exception {
        try (var proxy = new Relay(HEADER)) {
            try (var connection = DriverManager.getConnection(proxy.url(), "app", "app-secret");
                    var rows = connection.createStatement().executeQuery("SELECT 6 * 7")) {
                rows.next();
                assertThat(rows.getInt(1)).isEqualTo(42);
            }
            assertThatThrownBy(() -> DriverManager.getConnection(proxy.url(), "app", "guessed"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("'app'@'203.0.113.7'");
        }
        try (var proxy = new Relay(HEADER_6)) {
            assertThatThrownBy(() -> DriverManager.getConnection(proxy.url(), "app", "guessed"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("'app'@'2001:db8:0:0:0:0:0:7'");
        }
    }

    @Test
    void aProxySpeaksForItself() throws Exception {
        try (var proxy = new Relay(LOCAL)) {
            assertThatThrownBy(() -> DriverManager.getConnection(proxy.url(), "app", "guessed"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("'app'@'127.0.0.1'");
        }
    }

    @Test
    void aHeaderMayComeInPieces() throws Exception {
        try (var socket = socket(behind)) {
            for (byte piece : HEADER) {
                socket.getOutputStream().write(piece);
                Thread.sleep(2);
            }
            assertThat(packet(socket)[0]).as("greeting").isEqualTo((byte) 10);
        }
    }

    @Test
    void whatIsNoHeaderOfVersion2IsRefusedFromAProxy() throws Exception {
        assertRefused(
                behind,
                "PROXY TCP4 203.0.113.7 198.51.100.1 40000 3306\r\n".getBytes(StandardCharsets.US_ASCII),
                "version 1");
        assertRefused(behind, "x".repeat(300).getBytes(StandardCharsets.US_ASCII), "no PROXY header of version 2");
        var unknown = HEADER.clone();
        unknown[12] = 0x31;
        assertRefused(behind, unknown, "no PROXY header of version 2");
    }

    @Test
    void aProxyThatSendsNoHeaderIsRefused() throws Exception {
        assertRefused(behind, new byte[0], "it sent no PROXY header");
    }

    @Test
    void aHeaderFromAnybodyElseIsRefused() throws Exception {
        for (var header : List.of(HEADER, "PROXY TCP4 203.0.113.7".getBytes(StandardCharsets.US_ASCII))) {
            try (var socket = socket(open)) {
                socket.getOutputStream().write(header);
                packet(socket);
                assertError(packet(socket), "in none of the networks");
            }
        }
        try (var connection = open.connect()) {
            assertThat(connection.isValid(5)).as("one without a header").isTrue();
        }
    }

    private static void assertRefused(TestKeyspace where, byte[] first, String why) throws IOException {
        try (var socket = socket(where)) {
            socket.getOutputStream().write(first);
            assertError(packet(socket), why);
            assertThat(socket.getInputStream().read()).as("the end").isNegative();
        }
    }

    private static void assertError(byte[] packet, String why) {
        assertThat(packet[0]).isEqualTo((byte) 0xff);
        assertThat(packet[1] & 0xff | (packet[2] & 0xff) << 8).isEqualTo(1130);
        assertThat(new String(packet, StandardCharsets.UTF_8))
                .contains("127.0.0.1")
                .contains(why);
    }

    private static Socket socket(TestKeyspace where) throws IOException {
        var socket = new Socket("127.0.0.1", where.router().mysqlAddress().getPort());
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static byte[] packet(Socket socket) throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
        in.readByte();
        return in.readNBytes(length);
    }

    /** A proxy in front of the router: each connection begins with the header. */
    private static final class Relay implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final byte[] header;

        Relay(byte[] header) throws IOException {
            this.header = header;
            Thread.ofVirtual().start(this::accept);
        }

        String url() {
            return "jdbc:mysql://127.0.0.1:" + listener.getLocalPort() + "/chat";
        }

        private void accept() {
            while (true) {
                try {
                    var client = listener.accept();
                    var router = socket(behind);
                    router.getOutputStream().write(header);
                    Thread.ofVirtual().start(() -> copy(client, router));
                    Thread.ofVirtual().start(() -> copy(router, client));
                } catch (IOException e) {
                    return;
                }
            }
        }

        private static void copy(Socket from, Socket to) {
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                in.transferTo(out);
            } catch (IOException e) {
                // One of them has gone; both are closed.
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
