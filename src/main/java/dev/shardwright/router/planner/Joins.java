package dev.shardwright.router.planner;

import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DerivedTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.IdentifierListWithParenthesesContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.JoinedTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SingleTableContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SingleTableParensContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableFactorContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableReferenceContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableReferenceListContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableReferenceListParensContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads FROM clauses: which tables are joined on equal shard keys. A condition counts only where it holds
 * for every row that the join returns; an outer join's condition holds for its inner side only.
 */
final class Joins {
    private final TableUses uses;
    private final Operands operands;
    private final QueryAnalyzer queries;
    private final List<Link> toOuter = new ArrayList<>();

    private record Link(Scope scope, TableUse inner, TableUse outer) {}

    Joins(TableUses uses, Operands operands, QueryAnalyzer queries) {
        this.uses = uses;
        this.operands = operands;
        this.queries = queries;
    }

    /** Adds the tables of a FROM clause to the scope; returns their numbers. */
    Set<Integer> list(TableReferenceListContext from, Scope scope, Set<String> visible) {
        var all = new HashSet<Integer>();
        for (var reference : from.tableReference()) {
            all.addAll(reference(reference, scope, visible));
        }
        return all;
    }

    private Set<Integer> reference(TableReferenceContext reference, Scope scope, Set<String> visible) {
        if (reference.tableFactor() == null) {
            throw Refusal.unsupported("the ODBC join syntax { OJ ... }", "write LEFT JOIN");
        }
        var side = factor(reference.tableFactor(), scope, visible);
        for (var joined : reference.joinedTable()) {
            side = join(side, joined, scope, visible);
        }
        return side;
    }

    private Set<Integer> factor(TableFactorContext factor, Scope scope, Set<String> visible) {
        if (factor.singleTable() != null) {
            return single(factor.singleTable(), scope, visible);
        }
        if (factor.singleTableParens() != null) {
            return single(inside(factor.singleTableParens()), scope, visible);
        }
        if (factor.derivedTable() != null) {
            return derived(factor.derivedTable(), scope, visible);
        }
        if (factor.tableReferenceListParens() != null) {
            return list(inside(factor.tableReferenceListParens()), scope, visible);
        }
        var alias = factor.tableFunction().tableAlias();
        queries.subqueries(factor.tableFunction(), scope, visible);
        return Set.of(uses.derived(alias == null ? "" : Names.of(alias.identifier()), scope)
                .id());
    }

    private static SingleTableContext inside(SingleTableParensContext parens) {
        return parens.singleTable() != null ? parens.singleTable() : inside(parens.singleTableParens());
    }

    private static TableReferenceListContext inside(TableReferenceListParensContext parens) {
        return parens.tableReferenceList() != null
                ? parens.tableReferenceList()
                : inside(parens.tableReferenceListParens());
    }

    private Set<Integer> single(SingleTableContext table, Scope scope, Set<String> visible) {
        var alias = table.tableAlias() == null ? null : table.tableAlias().identifier();
        return Set.of(uses.table(table.tableRef(), alias, scope, visible).id());
    }

    private Set<Integer> derived(DerivedTableContext derived, Scope scope, Set<String> visible) {
        var lateral = derived.LATERAL_SYMBOL() != null;
        queries.subquery(derived.subquery(), lateral ? scope : scope.outer(), visible);
        var alias = derived.tableAlias() == null
                ? ""
                : Names.of(derived.tableAlias().identifier());
        return Set.of(uses.derived(alias, scope).id());
    }

    private Set<Integer> join(Set<Integer> left, JoinedTableContext join, Scope scope, Set<String> visible) {
        if (join.naturalJoinType() != null) {
            scope.shareNames();
            return both(left, factor(join.tableFactor(), scope, visible));
        }
        var right = reference(join.tableReference(), scope, visible);
        var outer = join.outerJoinType();
        if (join.expr() != null) {
            var conditions = Equality.in(join.expr(), operands);
            if (outer == null) {
                conditions.forEach(condition -> holds(condition, scope, both(left, right)));
            } else if (outer.LEFT_SYMBOL() != null) {
                outerJoin(conditions, scope, left, right);
            } else {
                outerJoin(conditions, scope, right, left);
            }
            queries.subqueries(join.expr(), scope, visible);
        } else if (join.identifierListWithParentheses() != null) {
            using(join.identifierListWithParentheses(), scope, left, right);
        }
        return both(left, right);
    }

    private static Set<Integer> both(Set<Integer> left, Set<Integer> right) {
        var all = new HashSet<>(left);
        all.addAll(right);
        return all;
    }

    /** WHERE: holds for every row of the block. */
    void filter(ExprContext condition, Scope scope, Set<Integer> tables) {
        Equality.in(condition, operands).forEach(equality -> holds(equality, scope, tables));
    }

    private void holds(Equality condition, Scope scope, Set<Integer> tables) {
        switch (condition) {
            case Equality.Values values -> pin(values, scope, tables);
            case Equality.Columns columns -> {
                var one = scope.keyOf(columns.left());
                var other = scope.keyOf(columns.right());
                if (one != null && other != null && alike(one, other)) {
                    equal(one, other, scope, tables);
                }
            }
        }
    }

    private void equal(TableUse one, TableUse other, Scope scope, Set<Integer> tables) {
        var here = tables.contains(one.id());
        var there = tables.contains(other.id());
        if (here && there) {
            uses.placement().merge(one.id(), other.id());
        } else if (here && !scope.tables().contains(other)) {
            toOuter.add(new Link(scope, one, other));
        } else if (there && !scope.tables().contains(one)) {
            toOuter.add(new Link(scope, other, one));
        }
    }

    private void pin(Equality.Values values, Scope scope, Set<Integer> tables) {
        var use = scope.keyOf(values.column());
        if (use != null && use.table() != null && tables.contains(use.id())) {
            uses.placement()
                    .pin(
                            use.id(),
                            new Plan.Keys(
                                    use.table().name(),
                                    values.values().stream().map(List::of).toList()));
        }
    }

    private static boolean alike(TableUse one, TableUse other) {
        return one.table() != null && other.table() != null && one.table().placesLike(other.table());
    }

    /** Rows of {@code kept} are returned in any case, those of {@code matched} only where the conditions hold. */
    private void outerJoin(List<Equality> conditions, Scope scope, Set<Integer> kept, Set<Integer> matched) {
        var before = toOuter.size();
        conditions.forEach(condition -> holds(condition, scope, matched));
        // The kept side may follow these tables' group below, and for it such a link would not be true.
        toOuter.subList(before, toOuter.size()).clear();
        var attached = new HashSet<Integer>();
        for (var condition : conditions) {
            if (condition instanceof Equality.Columns columns) {
                var one = scope.keyOf(columns.left());
                var other = scope.keyOf(columns.right());
                if (one == null || other == null || !alike(one, other)) {
                    continue;
                }
                if (kept.contains(one.id()) && matched.contains(other.id())) {
                    attachOnce(other, one, attached);
                } else if (kept.contains(other.id()) && matched.contains(one.id())) {
                    attachOnce(one, other, attached);
                }
            }
        }
    }

    /** A group follows one table only: following two would claim that these two are equal. */
    private void attachOnce(TableUse inner, TableUse outer, Set<Integer> attached) {
        var group = uses.placement().group(inner.id());
        if (attached.add(group)) {
            uses.placement().attach(inner.id(), outer.id());
            attached.add(uses.placement().group(inner.id()));
        }
    }

    private void using(
            IdentifierListWithParenthesesContext columns, Scope scope, Set<Integer> left, Set<Integer> right) {
        scope.shareNames();
        if (left.size() != 1 || right.size() != 1) {
            return;
        }
        var one = scope.withId(left.iterator().next());
        var other = scope.withId(right.iterator().next());
        for (var column : columns.identifierList().identifier()) {
            var name = Names.of(column);
            if (alike(one, other) && keyIs(one, name) && keyIs(other, name)) {
                uses.placement().attach(other.id(), one.id());
            }
        }
    }

    private static boolean keyIs(TableUse use, String column) {
        return use.table() != null && use.table().isKey(column);
    }

    /** Ends a block: its groups follow the tables of the blocks around it that they are compared with. */
    void attachToOuter(Scope scope) {
        var attached = new HashSet<Integer>();
        for (var link : toOuter) {
            if (link.scope() == scope) {
                attachOnce(link.inner(), link.outer(), attached);
            }
        }
        toOuter.removeIf(link -> link.scope() == scope);
    }
}
