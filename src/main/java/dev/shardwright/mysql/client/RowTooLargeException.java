package dev.shardwright.mysql.client;

import java.io.IOException;

/** A row, or a value of one, that the heap has no room for. It may have later, or the row may be made smaller. */
public final class RowTooLargeException extends IOException {
    private static final long MIB = 1L << 20;

    private final long bytes;
    private final transient byte[] beginning;

    /**
     * @param what it is, for people
     * @param bytes that it takes at least
     * @param beginning of the row's packed values, as far as it is known
     */
    RowTooLargeException(String what, long bytes, byte[] beginning) {
        super(what + " takes at least " + Math.ceilDiv(bytes, MIB) + " MiB of memory, which the heap of "
                + Runtime.getRuntime().maxMemory() / MIB
                + " MiB has no room for; make the row smaller, or give the mover more memory");
        this.bytes = bytes;
        this.beginning = beginning;
    }

    /** The first values that the row packs, the last of which may be cut. */
    public byte[] beginning() {
        return beginning;
    }

    /** The same for a row that can be named. */
    public RowTooLargeException of(String row) {
        var named = new RowTooLargeException(row, bytes, beginning);
        named.initCause(this);
        return named;
    }
}
