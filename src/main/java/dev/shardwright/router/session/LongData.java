package dev.shardwright.router.session;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.buffer.ClientMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values that a client has sent ahead of an execution, by COM_STMT_SEND_LONG_DATA. That command has no answer, so what
 * goes wrong with it is told by the execution.
 */
public final class LongData {

    /** Does something with one piece of a value. */
    @FunctionalInterface
    public interface PieceAction {
        void accept(int parameter, byte[] piece);
    }

    private final ClientMemory memory;
    private final Map<Integer, List<byte[]>> values = new LinkedHashMap<>();
    private long bytes;
    private @Nullable ErrPacket failure;

    LongData(ClientMemory memory) {
        this.memory = memory;
    }

    /** False when there is no memory for it now. */
    public boolean append(int parameter, byte[] piece) {
        if (failure != null) {
            return true;
        }
        if (!memory.take(piece.length)) {
            return false;
        }
        bytes += piece.length;
        values.computeIfAbsent(parameter, _ -> new ArrayList<>()).add(piece);
        return true;
    }

    /** The execution will end with this error; until then what comes is dropped. */
    public void fail(ErrPacket error) {
        clear();
        failure = error;
    }

    /** Why there can't be an execution, or null. */
    public @Nullable ErrPacket failure() {
        return failure;
    }

    public long bytes() {
        return bytes;
    }

    public boolean has(int parameter) {
        return values.containsKey(parameter);
    }

    /** The whole value; null when none has been sent ahead. */
    public byte @Nullable [] value(int parameter) {
        var pieces = values.get(parameter);
        if (pieces == null) {
            return null;
        }
        var whole = new byte[pieces.stream().mapToInt(piece -> piece.length).sum()];
        int at = 0;
        for (var piece : pieces) {
            System.arraycopy(piece, 0, whole, at, piece.length);
            at += piece.length;
        }
        return whole;
    }

    /** As the client has sent them. */
    public void forEachPiece(PieceAction action) {
        values.forEach((parameter, pieces) -> pieces.forEach(piece -> action.accept(parameter, piece)));
    }

    /** Nothing has been sent ahead. */
    public void clear() {
        memory.giveBack(bytes);
        bytes = 0;
        values.clear();
        failure = null;
    }
}
