package dev.shardwright.mysql.client;

import com.github.shyiko.mysql.binlog.network.Authenticator;
import com.github.shyiko.mysql.binlog.network.protocol.ErrorPacket;
import com.github.shyiko.mysql.binlog.network.protocol.GreetingPacket;
import com.github.shyiko.mysql.binlog.network.protocol.PacketChannel;
import com.github.shyiko.mysql.binlog.network.protocol.ResultSetRowPacket;
import com.github.shyiko.mysql.binlog.network.protocol.command.QueryCommand;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A connection to a server, packet by packet. Any failure ends it: nothing is skipped, swallowed or reconnected here.
 * A ServerException tells what the server refuses.
 */
public final class PacketConnection implements AutoCloseable {
    /** A packet whose payload is this long goes on in the next one. */
    public static final int MAX_PAYLOAD = 0xffffff;

    private static final int CONNECT_MILLIS = 5_000;

    private final Socket socket;
    private final PacketChannel channel;

    private PacketConnection(Socket socket, PacketChannel channel) {
        this.socket = socket;
        this.channel = channel;
    }

    /**
     * Connects and logs in.
     *
     * @param silenceMillis a server that has sent nothing for so long, when it should, is taken for lost
     */
    public static PacketConnection open(String host, int port, String user, String password, int silenceMillis)
            throws IOException {
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            socket.setSoTimeout(silenceMillis);
            socket.setKeepAlive(true);
            var channel = new PacketChannel(socket);
            var greeting = channel.read();
            refuseError(greeting);
            new Authenticator(new GreetingPacket(greeting), channel, null, user, password).authenticate();
            channel.authenticationComplete();
            return new PacketConnection(socket, channel);
        } catch (com.github.shyiko.mysql.binlog.network.ServerException e) {
            socket.close();
            throw new ServerException(e.getErrorCode(), host + ":" + port + ": " + e.getMessage());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The rows of a small query, each value as text. */
    public List<List<String>> query(String sql) throws IOException {
        send(sql);
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

    /** A statement without a result. */
    public void execute(String sql) throws IOException {
        send(sql);
        refuseError(channel.read());
    }

    /** Sends a statement; its answer has to be read from {@link #channel} or {@link #socket}. */
    void send(String sql) throws IOException {
        channel.write(new QueryCommand(sql));
    }

    /** Between two statements it has nothing that was read ahead. */
    public PacketChannel channel() {
        return channel;
    }

    Socket socket() {
        return socket;
    }

    /** The packet, unless it tells an error. */
    public static byte[] refuseError(byte[] packet) throws IOException {
        if (packet.length > 0 && packet[0] == (byte) 0xff) {
            var error = new ErrorPacket(Arrays.copyOfRange(packet, 1, packet.length));
            throw new ServerException(error.getErrorCode(), error.getErrorMessage());
        }
        return packet;
    }

    private static boolean isEnd(byte[] packet) {
        return packet.length > 0 && packet[0] == (byte) 0xfe && packet.length < 9;
    }

    /** Also ends a read that waits in another thread. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // There is nothing left to lose on it.
        }
    }
}
