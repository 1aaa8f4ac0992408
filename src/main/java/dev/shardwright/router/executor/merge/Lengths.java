package dev.shardwright.router.executor.merge;

/** Length-encoded and little-endian integers in payloads. */
final class Lengths {
    private Lengths() {}

    static int little(byte[] from, int at, int bytes) {
        var value = 0;
        for (var i = bytes - 1; i >= 0; i--) {
            value = value << 8 | from[at + i] & 0xff;
        }
        return value;
    }

    static long littleLong(byte[] from, int at, int bytes) {
        var value = 0L;
        for (var i = bytes - 1; i >= 0; i--) {
            value = value << 8 | from[at + i] & 0xff;
        }
        return value;
    }

    /** How many bytes the length-encoded integer at this place takes. */
    static int size(byte[] from, int at) {
        return switch (from[at] & 0xff) {
            case 0xfc -> 3;
            case 0xfd -> 4;
            case 0xfe -> 9;
            default -> 1;
        };
    }

    static long value(byte[] from, int at) {
        var size = size(from, at);
        return size == 1 ? from[at] & 0xff : littleLong(from, at + 1, size - 1);
    }

    /** The place after the length-encoded string at this place. */
    static int skip(byte[] from, int at) {
        var end = at + size(from, at) + value(from, at);
        if (end > from.length || end < at) {
            throw new ArrayIndexOutOfBoundsException(at);
        }
        return (int) end;
    }

    /** A string with its length before it. */
    static byte[] encoded(byte[] text) {
        var prefix = text.length < 0xfb ? 1 : text.length < 0x10000 ? 3 : text.length < 0x1000000 ? 4 : 9;
        var out = new byte[prefix + text.length];
        if (prefix == 1) {
            out[0] = (byte) text.length;
        } else {
            out[0] = (byte) (prefix == 3 ? 0xfc : prefix == 4 ? 0xfd : 0xfe);
            for (var i = 1; i < prefix; i++) {
                out[i] = (byte) ((long) text.length >>> 8 * (i - 1));
            }
        }
        System.arraycopy(text, 0, out, prefix, text.length);
        return out;
    }
}
