package dev.shardwright.reshard.table;

/** Integers as MySQL writes them. */
final class AsciiNumber {
    private AsciiNumber() {}

    /** Of one that is beyond a long's range the lowest 64 bits. NumberFormatException when it is no integer. */
    static long parse(byte[] text, int from, int length) {
        var negative = length > 1 && text[from] == '-';
        long value = 0;
        for (int i = negative ? from + 1 : from; i < from + length; i++) {
            var digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                throw new NumberFormatException("a byte of value " + text[i] + " in an integer");
            }
            value = 10 * value + digit;
        }
        if (length == 0) {
            throw new NumberFormatException("an integer without digits");
        }
        return negative ? -value : value;
    }
}
