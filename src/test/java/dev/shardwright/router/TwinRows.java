package dev.shardwright.router;

import java.util.List;
import java.util.Random;

/** Values of the columns that are no keys. Doubles are sums of halves, so that they are shown exactly. */
final class TwinRows {
    private static final List<String> WORDS = List.of(
            "'a'",
            "'A'",
            "'ä'",
            "'b '",
            "'b'",
            "'zz'",
            "'É'",
            "''",
            "'e'",
            "'b\t'",
            "'😀'",
            "'it''s'",
            "'a_b'",
            "'back\\\\slash'",
            "'ß'");
    private static final List<String> NOTES =
            List.of("'a'", "'A'", "'ä'", "'b'", "'zz'", "'É'", "''", "'a\t'", "'漢'", "'10'", "'9'");

    private TwinRows() {}

    static String values(Random random) {
        return String.join(
                ", ",
                maybe(random, "" + (random.nextInt(14) - 3)),
                maybe(random, (random.nextInt(40) - 10) + "." + random.nextInt(100)),
                maybe(random, WORDS.get(random.nextInt(WORDS.size()))),
                maybe(random, NOTES.get(random.nextInt(NOTES.size()))),
                maybe(random, random.nextInt(6) == 0 ? "-0.0" : "" + (random.nextInt(100) - 50) / 4.0),
                maybe(
                        random,
                        "'2020-0" + (1 + random.nextInt(9)) + "-01 03:04:0" + random.nextInt(3) + "."
                                + random.nextInt(1000) + "'"),
                maybe(random, "" + (1 + random.nextInt(3))),
                maybe(random, "x'" + Integer.toHexString(random.nextInt(16, 256)) + "'"),
                maybe(
                        random,
                        Long.toUnsignedString(random.nextInt(4) == 0 ? -1 - random.nextInt(3) : random.nextInt(5))));
    }

    private static String maybe(Random random, String value) {
        return random.nextInt(8) == 0 ? "NULL" : value;
    }
}
