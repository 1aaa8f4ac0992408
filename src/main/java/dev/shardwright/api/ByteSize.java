package dev.shardwright.api;

/** An amount of memory as the resources write it: a whole number and Ki, Mi or Gi. */
public final class ByteSize {
    public static final String PATTERN = "^[1-9][0-9]{0,5}(Ki|Mi|Gi)$";

    private ByteSize() {}

    /** Reads {@code 64Mi} into bytes; IllegalArgumentException says how to write it. */
    public static long parse(String text) {
        if (!text.matches(PATTERN)) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size: write a whole number and Ki, Mi or Gi, such as 64Mi");
        }
        var number = Long.parseLong(text.substring(0, text.length() - 2));
        return switch (text.charAt(text.length() - 2)) {
            case 'K' -> number << 10;
            case 'M' -> number << 20;
            default -> number << 30;
        };
    }
}
