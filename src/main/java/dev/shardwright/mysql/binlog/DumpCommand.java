package dev.shardwright.mysql.binlog;

import com.github.shyiko.mysql.binlog.network.protocol.command.Command;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** COM_BINLOG_DUMP_GTID: all transactions that are not in the set, and then whatever comes. */
record DumpCommand(long serverId, GtidSet from) implements Command {
    private static final byte COM_BINLOG_DUMP_GTID = 0x1e;
    private static final int FIRST_POSITION = 4;
    private static final int HEADER_BYTES = 1 + 2 + 4 + 4 + 8 + 4;

    @Override
    public byte[] toByteArray() {
        var set = encodedSet();
        var buffer = ByteBuffer.allocate(HEADER_BYTES + set.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(COM_BINLOG_DUMP_GTID).putShort((short) 0).putInt((int) serverId);
        buffer.putInt(0).putLong(FIRST_POSITION).putInt(set.length).put(set);
        return buffer.array();
    }

    private byte[] encodedSet() {
        var tagged = from.intervals().keySet().stream().anyMatch(source -> source.indexOf(':') > 0);
        var size = 8
                + from.intervals().entrySet().stream()
                        .mapToInt(source -> 16
                                + 1
                                + source.getKey().length()
                                + 8
                                + 16 * source.getValue().size())
                        .sum();
        var buffer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        long count = from.intervals().size();
        buffer.putLong(tagged ? (1L << 56) | (count << 8) | 1L : count);
        from.intervals().forEach((source, intervals) -> {
            putSource(buffer, source, tagged);
            buffer.putLong(intervals.size());
            intervals.forEach((first, last) -> buffer.putLong(first).putLong(last + 1));
        });
        return java.util.Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static void putSource(ByteBuffer buffer, String source, boolean tagged) {
        var colon = source.indexOf(':');
        var uuid = colon < 0 ? source : source.substring(0, colon);
        buffer.put(HexFormat.of().parseHex(uuid.replace("-", "")));
        if (tagged) {
            var tag = (colon < 0 ? "" : source.substring(colon + 1)).getBytes(StandardCharsets.US_ASCII);
            buffer.put((byte) (tag.length << 1)).put(tag);
        }
    }
}
