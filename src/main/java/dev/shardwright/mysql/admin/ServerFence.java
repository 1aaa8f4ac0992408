package dev.shardwright.mysql.admin;

/** What of a server's fence is up at the moment. */
public record ServerFence(boolean superReadOnly, boolean readOnly, boolean offline) {

    /** Ordinary users can connect, read and write. */
    public boolean open() {
        return !superReadOnly && !readOnly && !offline;
    }

    /** Ordinary users can't write; movers and operators can, unless {@code superReadOnly}. */
    public boolean shut() {
        return readOnly;
    }
}
