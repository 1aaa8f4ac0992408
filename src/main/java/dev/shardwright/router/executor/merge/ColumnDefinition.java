package dev.shardwright.router.executor.merge;

import java.nio.charset.StandardCharsets;

/**
 * A result column as MySQL describes it.
 *
 * @param payload the packet's payload, to be sent on
 * @param type MYSQL_TYPE_*
 */
record ColumnDefinition(byte[] payload, String name, int charset, int type, int flags, int decimals) {
    private static final int UNSIGNED = 0x20;
    private static final int ENUM = 0x100;
    private static final int SET = 0x800;
    private static final int BINARY_CHARSET = 63;

    static ColumnDefinition parse(byte[] payload) {
        try {
            var at = 0;
            for (var i = 0; i < 4; i++) {
                at = Lengths.skip(payload, at);
            }
            var end = Lengths.skip(payload, at);
            var start = end - (int) Lengths.value(payload, at);
            var name = new String(payload, start, end - start, StandardCharsets.UTF_8);
            var fixed = Lengths.skip(payload, end) + 1;
            return new ColumnDefinition(
                    payload,
                    name,
                    Lengths.little(payload, fixed, 2),
                    payload[fixed + 6] & 0xff,
                    Lengths.little(payload, fixed + 7, 2),
                    payload[fixed + 9] & 0xff);
        } catch (ArrayIndexOutOfBoundsException e) {
            throw MergeException.malformed();
        }
    }

    boolean unsigned() {
        return (flags & UNSIGNED) != 0;
    }

    /** ENUM or SET: sorted by number, shown as text. */
    boolean enumeration() {
        return (flags & (ENUM | SET)) != 0 || type == ColumnTypes.ENUM || type == ColumnTypes.SET;
    }

    boolean binaryCharset() {
        return charset == BINARY_CHARSET;
    }

    /**
     * Whether rows with this column can stand in one result with rows of the other. A text's decimals mean nothing, and
     * depend on the server's plan: a temporary table has others.
     */
    boolean agreesWith(ColumnDefinition other) {
        return name.equals(other.name)
                && type == other.type
                && charset == other.charset
                && (ColumnTypes.string(type) || decimals == other.decimals)
                && unsigned() == other.unsigned()
                && enumeration() == other.enumeration();
    }
}
