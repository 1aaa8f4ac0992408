package dev.shardwright.router.executor;

import dev.shardwright.mysql.wire.PayloadReader;
import dev.shardwright.mysql.wire.ResponseScanner;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Reads what GET_LOCK() or RELEASE_LOCK() has answered, as it passes to the client: one row of one integer or NULL. */
final class LockAnswer implements ResponseScanner.PacketListener {
    private static final int TEXT_NULL = 0xfb;
    /** In binary rows a column's NULL bit stands two bits further up than its number. */
    private static final int BINARY_NULL = 1 << 2;

    private final boolean binary;
    private @Nullable Boolean answer;

    /** @param binary whether a prepared statement was executed */
    LockAnswer(boolean binary) {
        this.binary = binary;
    }

    /** Whether the lock was taken, or released; null: not known. */
    @Nullable
    Boolean answer() {
        return answer;
    }

    @Override
    public void onColumn(ByteBuf payload) {}

    @Override
    public void onRow(ByteBuf payload) {
        var row = new PayloadReader(payload.slice());
        answer = binary ? isOneInBinary(row) : isOneInText(row);
    }

    private static boolean isOneInBinary(PayloadReader row) {
        row.int1();
        return (row.int1() & BINARY_NULL) == 0 && row.int1() == 1;
    }

    private static boolean isOneInText(PayloadReader row) {
        int length = row.int1();
        return length != TEXT_NULL && length == 1 && row.int1() == '1';
    }
}
