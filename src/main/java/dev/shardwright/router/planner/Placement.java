package dev.shardwright.router.planner;

import java.util.ArrayList;
import java.util.List;

/**
 * Which tables of a statement are joined so that their rows are on one shard, and the values that pin
 * such a group. Union-find over the numbers of the table uses.
 */
final class Placement {
    private final List<Integer> parents = new ArrayList<>();
    private final List<List<Plan.Keys>> pins = new ArrayList<>();

    int add() {
        parents.add(parents.size());
        pins.add(new ArrayList<>());
        return parents.size() - 1;
    }

    int group(int table) {
        var at = table;
        while (parents.get(at) != at) {
            at = parents.get(at);
        }
        return at;
    }

    /** In every row that counts, the two tables' shard keys are equal. */
    void merge(int one, int other) {
        var a = group(one);
        var b = group(other);
        if (a != b) {
            parents.set(b, a);
            pins.get(a).addAll(pins.get(b));
        }
    }

    /**
     * Rows of {@code inner} count only beside rows of {@code outer} with an equal shard key, but not the
     * other way round: so what pins {@code inner} does not pin {@code outer}.
     */
    void attach(int inner, int outer) {
        var a = group(outer);
        var b = group(inner);
        if (a != b) {
            parents.set(b, a);
        }
    }

    void pin(int table, Plan.Keys keys) {
        pins.get(group(table)).add(keys);
    }

    List<Plan.Keys> pins(int table) {
        return pins.get(group(table));
    }
}
