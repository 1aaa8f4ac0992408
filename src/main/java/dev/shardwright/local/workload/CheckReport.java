package dev.shardwright.local.workload;

import dev.shardwright.local.workload.Violation.Kind;
import java.util.List;
import java.util.Map;

/**
 * The verdict of the check.
 *
 * @param histories how many threads' histories were compared
 * @param rows rows on the shards, by table
 * @param violations how often each rule was broken
 * @param examples the first violations, at most {@link Checker#EXAMPLES}
 */
public record CheckReport(
        int histories,
        long acknowledged,
        long failed,
        long unknown,
        Map<Integer, Long> errorsByErrno,
        Map<String, Long> rows,
        Map<Kind, Long> violations,
        List<Violation> examples) {

    public boolean clean() {
        return violations.values().stream().allMatch(count -> count == 0);
    }

    public long count(Kind kind) {
        return violations.getOrDefault(kind, 0L);
    }
}
