package dev.shardwright.mysql.binlog;

import com.github.shyiko.mysql.binlog.network.protocol.PacketChannel;
import dev.shardwright.mysql.client.PacketConnection;
import dev.shardwright.mysql.client.ServerException;
import dev.shardwright.mysql.client.SoftHeap;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** A replica's connection to a server. Any failure ends it: nothing is skipped, swallowed or reconnected here. */
public final class BinlogConnection implements AutoCloseable {
    private static final int MAX_PACKET = PacketConnection.MAX_PAYLOAD;
    /** MySQL makes none that are larger, headers aside. */
    private static final int MAX_EVENT = (1 << 30) + (1 << 20);

    /** In its header. */
    private static final int EVENT_SIZE_AT = 9;

    private static final int HEARTBEAT_SECONDS = 1;
    /** A server that has sent neither event nor heartbeat for so long is taken for lost. */
    private static final int SILENCE_MILLIS = 20_000;

    private final PacketConnection connection;
    private final PacketChannel channel;

    private BinlogConnection(PacketConnection connection) {
        this.connection = connection;
        this.channel = connection.channel();
    }

    /** Connects and logs in; the account needs REPLICATION SLAVE. */
    public static BinlogConnection open(String host, int port, String user, String password) throws IOException {
        return new BinlogConnection(PacketConnection.open(host, port, user, password, SILENCE_MILLIS));
    }

    /** The rows of a small query, each value as text. */
    public List<List<String>> query(String sql) throws IOException {
        return connection.query(sql);
    }

    /** Asks for every transaction that is not in {@code from}; then only {@link #next} may be called. */
    public void dump(GtidSet from) throws IOException {
        connection.execute("SET @source_binlog_checksum = 'CRC32', @master_binlog_checksum = 'CRC32'");
        var nanos = HEARTBEAT_SECONDS * 1_000_000_000L;
        connection.execute("SET @source_heartbeat_period = " + nanos + ", @master_heartbeat_period = " + nanos);
        connection.execute("SET @replica_uuid = '" + UUID.randomUUID() + "', @slave_uuid = @replica_uuid");
        // A slow target holds up this stream for as long as it takes; that is no reason to end it.
        connection.execute("SET SESSION net_write_timeout = 86400");
        channel.write(new DumpCommand(ThreadLocalRandom.current().nextLong(1L << 31, 1L << 32), from));
    }

    /** The next event, header and checksum included. EOFException when the server ends the stream. */
    public byte[] next() throws IOException {
        var in = channel.getInputStream();
        var first = readPacket(in.readInteger(3));
        if (first.length == 0) {
            throw new ServerException(0, "the server sent an empty packet in its binary log stream");
        }
        PacketConnection.refuseError(first);
        if (first[0] != 0) {
            throw new EOFException("the server ended the binary log stream");
        }
        return first.length < MAX_PACKET ? Arrays.copyOfRange(first, 1, first.length) : joined(first);
    }

    private byte[] joined(byte[] first) throws IOException {
        var size = new ByteCursor(first, 1 + EVENT_SIZE_AT, first.length).little(4);
        if (size > MAX_EVENT || size < first.length - 1) {
            throw new ServerException(0, "the server sent an event that says that it has " + size + " bytes");
        }
        SoftHeap.keep(size + first.length);
        var whole = new byte[(int) size];
        // Without the packet's status byte.
        var at = first.length - 1;
        System.arraycopy(first, 1, whole, 0, at);
        for (var length = MAX_PACKET; length == MAX_PACKET; at += length) {
            length = channel.getInputStream().readInteger(3);
            if (length > whole.length - at) {
                throw new ServerException(
                        0, "the server sent an event of more than the " + size + " bytes that it says");
            }
            System.arraycopy(readPacket(length), 0, whole, at, length);
        }
        if (at < whole.length) {
            throw new ServerException(0, "the server sent " + at + " bytes of an event of " + size);
        }
        return whole;
    }

    private byte[] readPacket(int length) throws IOException {
        channel.getInputStream().read();
        return channel.getInputStream().read(length);
    }

    /** Also ends a {@link #next} that waits in another thread. */
    @Override
    public void close() {
        connection.close();
    }
}
