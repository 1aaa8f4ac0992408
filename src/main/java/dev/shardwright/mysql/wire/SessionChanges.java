package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What an OK packet tells of changes of the session, in the order in which MySQL tells it. It may be told that there are
 * changes and then none: so MySQL answers a BEGIN that ends one transaction and begins another.
 */
public final class SessionChanges {
    private static final int DATABASE = 1;
    private static final int TRANSACTION = 5;
    private static final String INFORMATION_SCHEMA = "information_schema";

    private final byte[] bytes;

    private SessionChanges(byte[] bytes) {
        this.bytes = bytes;
    }

    public static SessionChanges none() {
        return new SessionChanges(new byte[0]);
    }

    /** The session's database is this one from now on; null for none, which is not told. */
    public static @Nullable SessionChanges inDatabase(@Nullable String name) {
        return name == null ? null : none().database(name);
    }

    /** The session's database is this one from now on. */
    public SessionChanges database(String name) {
        // The one database whose name may be written in any case.
        var known = name.equalsIgnoreCase(INFORMATION_SCHEMA) ? INFORMATION_SCHEMA : name;
        return and(DATABASE, known.getBytes(StandardCharsets.UTF_8));
    }

    /** A transaction that was begun by a statement for that is open from now on, or none. */
    public SessionChanges transaction(boolean open) {
        return and(TRANSACTION, (open ? "T_______" : "________").getBytes(StandardCharsets.US_ASCII));
    }

    private SessionChanges and(int kind, byte[] value) {
        var item = Unpooled.buffer();
        PacketBuilder.lengthEncoded(item, value.length);
        item.writeBytes(value);
        var all = Unpooled.buffer().writeBytes(bytes).writeByte(kind);
        PacketBuilder.lengthEncoded(all, item.readableBytes());
        all.writeBytes(item);
        return new SessionChanges(ByteBufUtil.getBytes(all));
    }

    int length() {
        return bytes.length;
    }

    byte[] bytes() {
        return bytes;
    }
}
