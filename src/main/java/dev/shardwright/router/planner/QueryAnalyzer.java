package dev.shardwright.router.planner;

import dev.shardwright.router.planner.parse.Names;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ExprContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QueryExpressionBodyContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QueryExpressionContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QueryExpressionParensContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QueryPrimaryContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QuerySpecificationContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SubqueryContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableReferenceListContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.WhereClauseContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.WithClauseContext;
import java.util.HashSet;
import java.util.Set;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/** Walks the query blocks of a statement and finds where the rows of their tables are, relative to each other. */
final class QueryAnalyzer {
    private final TableUses uses;
    private final Joins joins;

    QueryAnalyzer(TableUses uses, Operands operands) {
        this.uses = uses;
        this.joins = new Joins(uses, operands, this);
    }

    /** @param visible names of common table expressions that a FROM may use */
    void queryExpression(QueryExpressionContext query, @Nullable Scope outer, Set<String> visible) {
        var names = with(query.withClause(), outer, visible);
        body(query.queryExpressionBody(), outer, names);
        var ordering = new Scope(outer);
        if (query.orderClause() != null) {
            subqueries(query.orderClause(), ordering, names);
        }
    }

    /** Analyses the common table expressions and returns the names that are visible after them. */
    Set<String> with(@Nullable WithClauseContext with, @Nullable Scope outer, Set<String> visible) {
        var names = new HashSet<>(visible);
        if (with != null) {
            for (var table : with.commonTableExpression()) {
                var name = Names.of(table.identifier());
                if (with.RECURSIVE_SYMBOL() != null) {
                    names.add(name);
                }
                uses.foundDerived();
                subquery(table.subquery(), outer, names);
                names.add(name);
            }
        }
        return names;
    }

    private void body(QueryExpressionBodyContext body, @Nullable Scope outer, Set<String> visible) {
        for (var i = 0; i < body.getChildCount(); i++) {
            switch (body.getChild(i)) {
                case QueryPrimaryContext primary -> primary(primary, outer, visible);
                case QueryExpressionParensContext parens -> parens(parens, outer, visible);
                case QueryExpressionBodyContext more -> body(more, outer, visible);
                default -> {}
            }
        }
    }

    private void primary(QueryPrimaryContext primary, @Nullable Scope outer, Set<String> visible) {
        if (primary.querySpecification() != null) {
            block(primary.querySpecification(), outer, visible);
        } else if (primary.explicitTable() != null) {
            uses.table(primary.explicitTable().tableRef(), null, new Scope(outer), visible);
        } else {
            subqueries(primary.tableValueConstructor(), new Scope(outer), visible);
        }
    }

    private void parens(QueryExpressionParensContext parens, @Nullable Scope outer, Set<String> visible) {
        if (parens.queryExpressionParens() != null) {
            parens(parens.queryExpressionParens(), outer, visible);
        } else {
            queryExpression(parens.queryExpressionWithOptLockingClauses().queryExpression(), outer, visible);
        }
    }

    void subquery(SubqueryContext subquery, @Nullable Scope outer, Set<String> visible) {
        parens(subquery.queryExpressionParens(), outer, visible);
    }

    private void block(QuerySpecificationContext query, @Nullable Scope outer, Set<String> visible) {
        var from = query.fromClause() == null ? null : query.fromClause().tableReferenceList();
        var scope = rows(from, query.whereClause(), outer, visible);
        for (var i = 0; i < query.getChildCount(); i++) {
            if (query.getChild(i) != query.fromClause()) {
                subqueries(query.getChild(i), scope, visible);
            }
        }
    }

    /** The rows that FROM and WHERE choose; returns the names that the rest of the block can use. */
    Scope rows(
            @Nullable TableReferenceListContext from,
            @Nullable WhereClauseContext where,
            @Nullable Scope outer,
            Set<String> visible) {
        var scope = new Scope(outer);
        var all = from == null ? Set.<Integer>of() : joins.list(from, scope, visible);
        if (where != null) {
            joins.filter(where.expr(), scope, all);
        }
        joins.attachToOuter(scope);
        return scope;
    }

    /** For a single table that is named without a FROM clause of its own. */
    void filter(ExprContext condition, Scope scope, Set<Integer> tables) {
        joins.filter(condition, scope, tables);
    }

    /** Analyses the subqueries in an expression, or in any other part of a block. */
    void subqueries(ParseTree part, Scope scope, Set<String> visible) {
        if (part instanceof SubqueryContext subquery) {
            subquery(subquery, scope, visible);
            return;
        }
        for (var i = 0; i < part.getChildCount(); i++) {
            subqueries(part.getChild(i), scope, visible);
        }
    }
}
