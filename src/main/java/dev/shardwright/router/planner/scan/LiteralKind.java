package dev.shardwright.router.planner.scan;

/** What a literal is by its form; {@code mark} stands for it in a fingerprint and is no byte of any SQL text. */
public enum LiteralKind {
    /** Digits only, at most 20 of them; a sign before it is an operator of its own. */
    INTEGER(1),
    /** Digits with a point, or more than 20 digits. */
    DECIMAL(2),
    /** With an exponent. */
    FLOAT(3),
    STRING(4),
    /** N'...': utf8. */
    NATIONAL(5),
    /** x'...' or 0x... */
    HEX(6),
    /** b'...' or 0b... */
    BIT(7);

    private final byte mark;

    LiteralKind(int mark) {
        this.mark = (byte) mark;
    }

    byte mark() {
        return mark;
    }
}
