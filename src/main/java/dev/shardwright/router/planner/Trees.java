package dev.shardwright.router.planner;

import io.debezium.ddl.parser.mysql.generated.MySqlParser.SubqueryContext;
import java.util.function.Predicate;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/** Looks for things in a parse tree. */
final class Trees {
    private Trees() {}

    /** The first node that matches, not looking into subqueries; null when there is none. */
    static @Nullable ParseTree outsideSubqueries(ParseTree tree, Predicate<ParseTree> wanted) {
        if (wanted.test(tree)) {
            return tree;
        }
        for (var i = 0; i < tree.getChildCount(); i++) {
            var child = tree.getChild(i);
            var found = child instanceof SubqueryContext ? null : outsideSubqueries(child, wanted);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
