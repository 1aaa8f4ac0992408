package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Rewrite.Piece;
import dev.shardwright.router.planner.scan.Scan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a rewrite out of changes to a statement's text; literals stay gaps. */
final class RewriteBuilder {
    private final Scan scan;
    private final List<Edit> edits = new ArrayList<>();

    private record Edit(int start, int end, List<Piece> pieces) {}

    RewriteBuilder(Scan scan) {
        this.scan = scan;
    }

    void replace(int start, int end, Piece by) {
        edits.add(new Edit(start, end, List.of(by)));
    }

    void insert(int at, List<Piece> pieces) {
        edits.add(new Edit(at, at, pieces));
    }

    static Piece text(String text) {
        return new Piece.Text(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** This part of the client's text. */
    List<Piece> slice(int start, int end) {
        var pieces = new ArrayList<Piece>();
        var at = start;
        for (var literal = 0; literal < scan.literals(); literal++) {
            if (scan.start(literal) >= at && scan.end(literal) <= end) {
                raw(at, scan.start(literal), pieces);
                pieces.add(new Piece.Literal(literal));
                at = scan.end(literal);
            }
        }
        raw(at, end, pieces);
        return pieces;
    }

    private void raw(int start, int end, List<Piece> pieces) {
        if (end > start) {
            pieces.add(new Piece.Text(Arrays.copyOfRange(scan.statement(), start, end)));
        }
    }

    /** The changed text up to {@code end}; null when nothing was changed. */
    @Nullable
    Rewrite build(int end) {
        if (edits.isEmpty()) {
            return null;
        }
        edits.sort(Comparator.comparingInt(Edit::start));
        var pieces = new ArrayList<Piece>();
        var at = 0;
        for (var edit : edits) {
            pieces.addAll(slice(at, edit.start()));
            pieces.addAll(edit.pieces());
            at = edit.end();
        }
        pieces.addAll(slice(at, end));
        return new Rewrite(pieces);
    }
}
