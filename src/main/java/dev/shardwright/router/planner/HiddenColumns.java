package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Rewrite.Piece;
import dev.shardwright.router.planner.parse.ParsedStatement;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectItemListContext;
import java.util.ArrayList;
import java.util.List;

/** Columns that shards are asked for beside the client's, for the merge only. */
final class HiddenColumns {
    private final RewriteBuilder rewrite;
    private final List<Piece> pieces = new ArrayList<>();
    private int count;

    HiddenColumns(RewriteBuilder rewrite) {
        this.rewrite = rewrite;
    }

    int value(List<Piece> expression) {
        return add("(", expression, ")");
    }

    int weight(List<Piece> expression) {
        return add("WEIGHT_STRING(", expression, ")");
    }

    int collation(List<Piece> expression) {
        return add("COLLATION(", expression, ")");
    }

    private int add(String before, List<Piece> expression, String after) {
        pieces.add(RewriteBuilder.text(", " + before));
        pieces.addAll(expression);
        pieces.add(RewriteBuilder.text(after + " AS `_shardwright_" + count + "`"));
        return count++;
    }

    int count() {
        return count;
    }

    void appendAfter(SelectItemListContext items) {
        if (count > 0) {
            rewrite.insert(ParsedStatement.end(items), pieces);
        }
    }
}
