package dev.shardwright.api;

import java.time.Duration;

/** A length of time as the resources write it: a whole number and ms, s or m. */
public final class TimeSpan {
    public static final String PATTERN = "^[0-9]{1,9}(ms|s|m)$";

    private TimeSpan() {}

    /** Reads {@code 250ms}, {@code 5s}, {@code 2m}; IllegalArgumentException says how to write it. */
    public static Duration parse(String text) {
        if (!text.matches(PATTERN)) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a time span: write a whole number and ms, s or m, such as 250ms or 5s");
        }
        if (text.endsWith("ms")) {
            return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
        }
        var number = Long.parseLong(text.substring(0, text.length() - 1));
        return text.endsWith("s") ? Duration.ofSeconds(number) : Duration.ofMinutes(number);
    }
}
