package dev.shardwright.mysql.binlog;

import com.github.shyiko.mysql.binlog.network.protocol.PacketChannel;
import dev.shardwright.mysql.client.PacketConnection;
import dev.shardwright.mysql.client.ServerException;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** A replica's connection to a server. Any failure ends it: nothing is skipped, swallowed or reconnected here. */
public final class BinlogConnection implements TransactionReader.EventSource, AutoCloseable {
    private static final int MAX_PACKET = PacketConnection.MAX_PAYLOAD;
    /** MySQL makes none that are larger, headers aside. */
    private static final int MAX_EVENT = (1 << 30) + (1 << 20);

    /** Larger events are not read as a whole. */
    static final int LARGE_BYTES = 4 << 20;
    /** Of a large one, as much is read at first. */
    static final int HEAD_BYTES = 16 << 10;

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

    /** The next event. EOFException when the server ends the stream. */
    @Override
    public IncomingEvent next() throws IOException {
        var in = channel.getInputStream();
        var length = in.readInteger(3);
        in.read();
        if (length == 0) {
            throw new ServerException(0, "the server sent an empty packet in its binary log stream");
        }
        var first = in.read(Math.min(length, length > LARGE_BYTES ? HEAD_BYTES : LARGE_BYTES));
        PacketConnection.refuseError(first);
        if (first[0] != 0) {
            throw new EOFException("the server ended the binary log stream");
        }
        var head = Arrays.copyOfRange(first, 1, first.length);
        return length > LARGE_BYTES ? large(head, length) : IncomingEvent.whole(head);
    }

    private IncomingEvent large(byte[] head, int packet) throws IOException {
        var size = new ByteCursor(head, EVENT_SIZE_AT, head.length).little(4);
        if (size > MAX_EVENT || size < packet - 1) {
            throw new ServerException(0, "the server sent an event that says that it has " + size + " bytes");
        }
        var left = (int) size - head.length;
        return new IncomingEvent(head, new Rest(packet - 1 - head.length, packet == MAX_PACKET, left), left);
    }

    /** What is left of an event that may take several packets. */
    private final class Rest extends PieceInput {
        private int ofPacket;
        /** Whether another packet follows this one. */
        private boolean continued;

        private int left;

        Rest(int ofPacket, boolean continued, int left) {
            this.ofPacket = ofPacket;
            this.continued = continued;
            this.left = left;
        }

        @Override
        public int read(byte[] into, int from, int count) throws IOException {
            if (left == 0 || count == 0) {
                return left == 0 ? -1 : 0;
            }
            nextPacket();
            var piece = Math.min(count, Math.min(left, ofPacket));
            channel.getInputStream().fill(into, from, piece);
            left -= piece;
            ofPacket -= piece;
            if (left == 0) {
                // One that fills its last packet is followed by an empty one.
                nextPacket();
            }
            return piece;
        }

        private void nextPacket() throws IOException {
            if (ofPacket == 0 && continued) {
                ofPacket = channel.getInputStream().readInteger(3);
                channel.getInputStream().read();
                continued = ofPacket == MAX_PACKET;
            }
            if (left == 0 ? ofPacket > 0 : ofPacket == 0) {
                throw new ServerException(0, "the server sent an event of another size than it says");
            }
        }
    }

    /** Also ends a {@link #next} that waits in another thread. */
    @Override
    public void close() {
        connection.close();
    }
}
