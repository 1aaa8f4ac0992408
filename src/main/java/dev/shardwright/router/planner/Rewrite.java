package dev.shardwright.router.planner;

import dev.shardwright.router.planner.scan.Scan;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The text that shards are sent instead of the client's, with gaps for this execution's literals.
 *
 * <p>A shard that is one of several returns its first offset + count rows: in the text, the literals of
 * LIMIT are replaced so. A LIMIT of parameters stays as it is, and the executor sends the shards other values:
 * 0 for the offset and offset + count for the count.
 */
public record Rewrite(List<Piece> pieces) {
    public Rewrite {
        pieces = List.copyOf(pieces);
    }

    public sealed interface Piece {
        record Text(byte[] bytes) implements Piece {}

        record Literal(int index) implements Piece {}

        /** LIMIT's offset: 0. */
        record Offset() implements Piece {}

        /** LIMIT's count: offset + count. */
        record Count() implements Piece {}
    }

    /** {@code limit}: this execution's LIMIT, {@link RowLimit#NONE} when there is none. */
    public byte[] render(Scan scan, RowLimit limit) {
        var out = new ByteArrayOutputStream(scan.statement().length + 64);
        for (var piece : pieces) {
            out.writeBytes(
                    switch (piece) {
                        case Piece.Text text -> text.bytes();
                        case Piece.Literal literal -> scan.text(literal.index());
                        case Piece.Offset _ -> ascii("0");
                        case Piece.Count _ -> ascii(Long.toString(limit.forEachShard()));
                    });
        }
        return out.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
