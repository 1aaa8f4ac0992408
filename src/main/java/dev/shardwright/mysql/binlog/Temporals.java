package dev.shardwright.mysql.binlog;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Dates and times as MySQL prints them, from the binary log's packed forms; nothing is checked, as MySQL stores zero and invalid dates too. */
final class Temporals {
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private Temporals() {}

    static String date(long packed) {
        return date(packed >> 9, packed >> 5 & 15, packed & 31);
    }

    private static String date(long year, long month, long day) {
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2);
    }

    static String dateTime(ByteCursor in, int digits) {
        var packed = in.big(5) - 0x8000000000L;
        var months = packed >> 22;
        var time = packed & 0x1ffff;
        return date(months / 13, months % 13, packed >> 17 & 31) + " " + clock(time >> 12, time >> 6 & 63, time & 63)
                + fraction(in.big((digits + 1) / 2), digits);
    }

    /** As a JSON document holds them: the time of day below 24 bits of microseconds. */
    static String jsonDate(long packed) {
        var days = packed >> 24 + 17;
        return date((days >> 5) / 13, (days >> 5) % 13, days & 31);
    }

    static String jsonDateTime(long packed) {
        var time = packed >> 24 & 0x1ffff;
        return jsonDate(packed) + " " + clock(time >> 12, time >> 6 & 63, time & 63) + fraction(packed & 0xffffff, 6);
    }

    static String jsonTime(long packed) {
        var magnitude = Math.abs(packed);
        var time = magnitude >> 24;
        return (packed < 0 ? "-" : "")
                + clock(time >> 12 & 0x3ff, time >> 6 & 63, time & 63)
                + fraction(magnitude & 0xffffff, 6);
    }

    static String timestamp(ByteCursor in, int digits) {
        var seconds = in.big(4);
        var fraction = in.big((digits + 1) / 2);
        var whole = seconds == 0 && fraction == 0
                ? "0000-00-00 00:00:00"
                : SECONDS.format(Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC));
        return whole + fraction(fraction, digits);
    }

    /** Seconds and fraction are one number with an offset, so that negative times sort right. */
    static String time(ByteCursor in, int digits) {
        var fractionBytes = (digits + 1) / 2;
        var fractionBits = 8 * fractionBytes;
        var value = in.big(3 + fractionBytes) - (0x800000L << fractionBits);
        var magnitude = Math.abs(value);
        var whole = magnitude >> fractionBits;
        return (value < 0 ? "-" : "")
                + clock(whole >> 12 & 0x3ff, whole >> 6 & 63, whole & 63)
                + fraction(magnitude & (1L << fractionBits) - 1, digits);
    }

    private static String clock(long hours, long minutes, long seconds) {
        return padded(hours, 2) + ":" + padded(minutes, 2) + ":" + padded(seconds, 2);
    }

    /** An odd number of digits is stored with one more, a zero. */
    private static String fraction(long value, int digits) {
        return digits == 0 ? "" : "." + padded(digits % 2 == 0 ? value : value / 10, digits);
    }

    private static String padded(long value, int digits) {
        var text = Long.toString(value);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }
}
