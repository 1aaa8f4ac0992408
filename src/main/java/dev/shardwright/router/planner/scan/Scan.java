package dev.shardwright.router.planner.scan;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One statement, scanned. Its literals are numbered from 0 in the order of the text; the parameter
 * markers of a prepared statement are counted apart.
 */
public final class Scan {
    private final byte[] statement;
    private final Tokens literals;
    private final int parameters;
    private final byte[] fingerprint;
    private final int next;
    private final @Nullable String problem;

    Scan(byte[] statement, Tokens literals, int parameters, byte[] fingerprint, int next, @Nullable String problem) {
        this.statement = statement;
        this.literals = literals;
        this.parameters = parameters;
        this.fingerprint = fingerprint;
        this.next = next;
        this.problem = problem;
    }

    /** The bytes as the client sent them; not copied, must not be changed. */
    public byte[] statement() {
        return statement;
    }

    public int literals() {
        return literals.count();
    }

    public LiteralKind kind(int literal) {
        return literals.kind(literal);
    }

    /** Offset of the literal's first byte. */
    public int start(int literal) {
        return literals.start(literal);
    }

    /** Offset after the literal's last byte. */
    public int end(int literal) {
        return literals.end(literal);
    }

    /** The literal as written, quotes included. */
    public byte[] text(int literal) {
        return Arrays.copyOfRange(statement, start(literal), end(literal));
    }

    /** How many {@code ?} there are. */
    public int parameters() {
        return parameters;
    }

    /**
     * The text with each literal replaced by a mark of its kind, comments left out and white space
     * folded. Equal fingerprints mean equal plans (in the same context). Must not be changed.
     */
    public byte[] fingerprint() {
        return fingerprint;
    }

    /** Where another statement begins after a semicolon, or -1 when there is only this one. */
    public int next() {
        return next;
    }

    /** Null, or why this text can't be read with certainty; then its other parts mean nothing. */
    public @Nullable String problem() {
        return problem;
    }
}
