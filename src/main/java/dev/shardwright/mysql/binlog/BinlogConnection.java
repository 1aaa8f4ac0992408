package dev.shardwright.mysql.binlog;

import com.github.shyiko.mysql.binlog.network.Authenticator;
import com.github.shyiko.mysql.binlog.network.protocol.ErrorPacket;
import com.github.shyiko.mysql.binlog.network.protocol.GreetingPacket;
import com.github.shyiko.mysql.binlog.network.protocol.PacketChannel;
import com.github.shyiko.mysql.binlog.network.protocol.ResultSetRowPacket;
import com.github.shyiko.mysql.binlog.network.protocol.command.QueryCommand;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A replica's connection to a server, packet by packet. Any failure ends it: nothing is skipped,
 * swallowed or reconnected here.
 */
public final class BinlogConnection implements AutoCloseable {
    private static final int MAX_PACKET = 0xffffff;
    /** MySQL makes none that are larger, headers aside. */
    private static final int MAX_EVENT = (1 << 30) + (1 << 20);

    private static final int CONNECT_MILLIS = 5_000;
    private static final int HEARTBEAT_SECONDS = 1;
    /** A server that has sent neither event nor heartbeat for so long is taken for lost. */
    private static final int SILENCE_MILLIS = 20_000;

    private final Socket socket;
    private final PacketChannel channel;

    private BinlogConnection(Socket socket, PacketChannel channel) {
        this.socket = socket;
        this.channel = channel;
    }

    /** Connects and logs in; the account needs REPLICATION SLAVE. */
    public static BinlogConnection open(String host, int port, String user, String password) throws IOException {
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            socket.setSoTimeout(SILENCE_MILLIS);
            socket.setKeepAlive(true);
            var channel = new PacketChannel(socket);
            var greeting = channel.read();
            refuseError(greeting);
            new Authenticator(new GreetingPacket(greeting), channel, null, user, password).authenticate();
            channel.authenticationComplete();
            return new BinlogConnection(socket, channel);
        } catch (com.github.shyiko.mysql.binlog.network.ServerException e) {
            socket.close();
            throw new BinlogException(e.getErrorCode(), host + ":" + port + ": " + e.getMessage());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The rows of a small query, each value as text. */
    public List<List<String>> query(String sql) throws IOException {
        channel.write(new QueryCommand(sql));
        refuseError(channel.read());
        while (!isEnd(refuseError(channel.read()))) {
            // column definitions
        }
        var rows = new ArrayList<List<String>>();
        for (var packet = refuseError(channel.read()); !isEnd(packet); packet = refuseError(channel.read())) {
            rows.add(List.of(new ResultSetRowPacket(packet).getValues()));
        }
        return rows;
    }

    private void execute(String sql) throws IOException {
        channel.write(new QueryCommand(sql));
        refuseError(channel.read());
    }

    /** Asks for every transaction that is not in {@code from}; then only {@link #next} may be called. */
    public void dump(GtidSet from) throws IOException {
        execute("SET @source_binlog_checksum = 'CRC32', @master_binlog_checksum = 'CRC32'");
        var nanos = HEARTBEAT_SECONDS * 1_000_000_000L;
        execute("SET @source_heartbeat_period = " + nanos + ", @master_heartbeat_period = " + nanos);
        execute("SET @replica_uuid = '" + UUID.randomUUID() + "', @slave_uuid = @replica_uuid");
        // A slow target holds up this stream for as long as it takes; that is no reason to end it.
        execute("SET SESSION net_write_timeout = 86400");
        channel.write(new DumpCommand(ThreadLocalRandom.current().nextLong(1L << 31, 1L << 32), from));
    }

    /** The next event, header and checksum included. EOFException when the server ends the stream. */
    public byte[] next() throws IOException {
        var in = channel.getInputStream();
        var first = readPacket(in.readInteger(3));
        if (first.length == 0) {
            throw new BinlogException(0, "the server sent an empty packet in its binary log stream");
        }
        refuseError(first);
        if (first[0] != 0) {
            throw new EOFException("the server ended the binary log stream");
        }
        return first.length < MAX_PACKET ? Arrays.copyOfRange(first, 1, first.length) : joined(first);
    }

    private byte[] joined(byte[] first) throws IOException {
        var packets = new ArrayList<byte[]>(List.of(first));
        long total = first.length;
        int length;
        do {
            length = channel.getInputStream().readInteger(3);
            packets.add(readPacket(length));
            total += length;
            if (total > MAX_EVENT) {
                throw new BinlogException(0, "the server sent an event of more than " + MAX_EVENT + " bytes");
            }
        } while (length == MAX_PACKET);
        // Without the first packet's status byte.
        var whole = new byte[(int) total - 1];
        var at = first.length - 1;
        System.arraycopy(first, 1, whole, 0, at);
        for (var packet : packets.subList(1, packets.size())) {
            System.arraycopy(packet, 0, whole, at, packet.length);
            at += packet.length;
        }
        return whole;
    }

    private byte[] readPacket(int length) throws IOException {
        channel.getInputStream().read();
        return channel.getInputStream().read(length);
    }

    private static byte[] refuseError(byte[] packet) throws IOException {
        if (packet.length > 0 && packet[0] == (byte) 0xff) {
            var error = new ErrorPacket(Arrays.copyOfRange(packet, 1, packet.length));
            throw new BinlogException(error.getErrorCode(), error.getErrorMessage());
        }
        return packet;
    }

    private static boolean isEnd(byte[] packet) {
        return packet.length > 0 && packet[0] == (byte) 0xfe && packet.length < 9;
    }

    /** Also ends a {@link #next} that waits in another thread. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // There is nothing left to lose on it.
        }
    }
}
