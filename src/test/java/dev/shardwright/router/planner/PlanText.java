package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Fold;
import dev.shardwright.router.planner.Plan.Keys;
import dev.shardwright.router.planner.Plan.Merge;
import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.router.planner.scan.Scan;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A plan in one line, for golden files. */
final class PlanText {
    private final Scan scan;

    private PlanText(Scan scan) {
        this.scan = scan;
    }

    static String of(Planned planned) {
        if (!planned.connectionIds().isEmpty()) {
            return "again as "
                    + new String(planned.connectionIds().in(planned.scan().statement(), 7), StandardCharsets.UTF_8);
        }
        var text = new PlanText(planned.scan()).of(planned.plan());
        return text + of(planned.use(), planned.plan() instanceof Plan.Session);
    }

    private static String of(SessionUse use, boolean asks) {
        return (use.residue() == Residue.Plain.NOTHING ? "" : ", leaves " + use.residue())
                + (use.lastStatement() && !asks ? ", on the last backend" : "")
                + (use.insertId() ? ", with the insert id" : "")
                + (use.userVariables().isEmpty() ? "" : ", reads " + use.userVariables());
    }

    private String of(Plan plan) {
        return switch (plan) {
            case Plan.PassThrough pass -> "PassThrough " + pass.access();
            case Plan.FirstShard first -> "FirstShard " + first.access();
            case Plan.AnyShard any -> "AnyShard " + any.access();
            case Plan.Keyed keyed -> keyed(keyed);
            case Plan.Scatter scatter -> "Scatter " + merge(scatter.merge());
            case Plan.Ddl ddl -> ddl.sharded() ? "Ddl on all shards" : "Ddl on the first shard";
            case Plan.Session session -> "Session " + session.statement();
            case Plan.Refused refused -> "Refused " + refused.errno() + " " + refused.message();
        };
    }

    private String keyed(Plan.Keyed keyed) {
        return "Keyed " + keyed.access() + (keyed.insert() ? " insert " : " ") + keys(keyed.keys())
                + keyed.alsoOn().stream().map(keys -> " and " + keys(keys)).collect(Collectors.joining())
                + (keyed.merge() == null ? "" : " | " + merge(keyed.merge()));
    }

    private String keys(Keys keys) {
        return keys.table()
                + keys.values().stream()
                        .map(value -> value.stream().map(this::operand).collect(Collectors.joining("+")))
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private String operand(@Nullable Operand operand) {
        return switch (operand) {
            case null -> "0";
            case Operand.Null _ -> "NULL";
            case Operand.Parameter parameter -> "?" + parameter.index();
            case Operand.Literal literal ->
                (literal.introducer() == null ? "" : literal.introducer())
                        + (literal.negative() ? "-" : "")
                        + new String(scan.text(literal.index()), StandardCharsets.UTF_8);
        };
    }

    private String merge(Merge merge) {
        var limit = merge.limit();
        return switch (merge) {
                    case Merge.Concatenate _ -> "concatenate";
                    case Merge.Sort sort ->
                        "sort by "
                                + sort.keys().stream()
                                        .map(key -> key.value() + (key.descending() ? " desc" : ""))
                                        .collect(Collectors.joining(", "));
                    case Merge.Aggregate aggregate ->
                        "fold " + aggregate.folds().stream().map(PlanText::fold).collect(Collectors.joining(", "));
                }
                + (limit == null ? "" : " limit " + operand(limit.offset()) + ", " + operand(limit.count()))
                + (merge.rewrite() == null
                        ? ""
                        : " as: "
                                + new String(
                                        merge.rewrite().render(scan, new RowLimit(20, 10)), StandardCharsets.UTF_8));
    }

    private static String fold(Fold fold) {
        return switch (fold) {
            case Fold.Count _ -> "count";
            case Fold.Sum _ -> "sum";
            case Fold.Extreme extreme -> extreme.max() ? "max" : "min";
        };
    }
}
