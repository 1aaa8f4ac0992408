package dev.shardwright.router.planner.scan;

/** Character classes of MySQL's lexer over single bytes; arguments below 0 are the end of the text. */
final class Ascii {
    private Ascii() {}

    static boolean isSpace(int c) {
        return c == ' ' || (c >= 0x09 && c <= 0x0d);
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isHexDigit(int c) {
        return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }

    /** A byte that may be part of an unquoted name; bytes above 0x7f are. */
    static boolean isNamePart(byte c) {
        return c < 0 || isDigit(c) || isLetter(c) || c == '_' || c == '$';
    }

    static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    static int parseInt(byte[] in, int start, int end) {
        var value = 0;
        for (var i = start; i < end; i++) {
            value = value * 10 + (in[i] - '0');
        }
        return value;
    }

    /** Whether the bytes are this word, which must be given in upper case. */
    static boolean isWord(byte[] in, int start, int end, String upper) {
        if (end - start != upper.length()) {
            return false;
        }
        for (var i = 0; i < upper.length(); i++) {
            if ((in[start + i] & 0xdf) != upper.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
