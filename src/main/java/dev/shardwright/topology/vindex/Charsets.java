package dev.shardwright.topology.vindex;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/** As much of MySQL's character sets as shard keys need. */
final class Charsets {
    private static final Set<String> UTF8 = Set.of("utf8mb4", "utf8mb3", "utf8");

    /** Those in which every byte below 128 is the ASCII character, wherever it stands alone. */
    private static final Set<String> ASCII_BASED = Set.of(
            "utf8mb4", "utf8mb3", "utf8", "ascii", "latin1", "latin2", "latin5", "latin7", "cp1250", "cp1251", "cp1256",
            "cp1257", "greek", "hebrew", "koi8r", "koi8u", "gbk", "gb2312", "gb18030", "big5", "euckr", "ujis");

    private Charsets() {}

    /** Whether bytes below 128 are ASCII in this character set. */
    static boolean isAsciiBased(String charset) {
        return ASCII_BASED.contains(charset);
    }

    /**
     * Whether MySQL converts this text to utf8mb4 without changing a byte.
     *
     * @param charset the text's character set; {@code binary} is taken over as it is, where it is valid
     */
    static boolean isUtf8mb4(byte[] text, String charset) {
        if (UTF8.contains(charset) || charset.equals("binary")) {
            return decoded(text).isPresent();
        }
        return isAsciiBased(charset) && isAscii(text);
    }

    /** Number of characters; text must be valid UTF-8. */
    static int characters(byte[] text) {
        int count = 0;
        for (byte b : text) {
            if ((b & 0xc0) != 0x80) {
                count++;
            }
        }
        return count;
    }

    private static boolean isAscii(byte[] text) {
        for (byte b : text) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    private static Optional<String> decoded(byte[] text) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
