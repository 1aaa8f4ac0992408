package dev.shardwright.api;

/** What the schema demands of lists of key ranges, as CEL over a list of strings. */
final class KeyRangeRules {
    static final String PATTERN = "^([0-9a-f]{2}){0,4}-([0-9a-f]{2}){0,4}$";

    /** Two-variable macros keep the cost linear in the number of ranges. */
    static final String IN_ORDER =
            "self.all(i, r, i == 0 || (r.split('-')[0] != ''" + " && r.split('-')[0] == self[i - 1].split('-')[1]))";

    static final String NOT_EMPTY =
            "self.all(r, r.startsWith('-') || r.endsWith('-') || r.split('-')[0] < r.split('-')[1])";
    static final String EMPTY = "a range's start must be below its end: write 40-80, not 80-40 or 40-40";

    static final String NO_TRAILING_ZERO = "self.all(r, !r.endsWith('00') && !r.split('-')[0].endsWith('00'))";
    static final String TRAILING_ZERO =
            "a range's end has trailing 00 bytes: leave them out, because 40 and 4000 are the same place";

    private KeyRangeRules() {}
}
