package dev.shardwright.router.planner;

import io.debezium.ddl.parser.mysql.generated.MySqlParser.SubqueryContext;
import java.util.ArrayList;
import java.util.List;
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

    /** All nodes of this kind. */
    static <T extends ParseTree> List<T> all(ParseTree tree, Class<T> kind) {
        var found = new ArrayList<T>();
        collect(tree, kind, found);
        return found;
    }

    private static <T extends ParseTree> void collect(ParseTree tree, Class<T> kind, List<T> found) {
        if (kind.isInstance(tree)) {
            found.add(kind.cast(tree));
        }
        for (var i = 0; i < tree.getChildCount(); i++) {
            collect(tree.getChild(i), kind, found);
        }
    }
}
