package dev.shardwright.reshard.workflow;

import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.reshard.workflow.ShardHosts.Provision;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Preparing -> Copying: the sources can be moved, and the targets' servers are there. */
final class Preparation {
    private final WorkflowPorts ports;
    private final TopologyWriter writer;
    /** Workflows whose sources were found movable by this engine; looked at once more before the copy. */
    private final Set<String> checked = new HashSet<>();

    Preparation(WorkflowPorts ports, TopologyWriter writer) {
        this.ports = ports;
        this.writer = writer;
    }

    WorkflowReport advance(Situation situation) throws SQLException {
        var entry = situation.entry();
        if (!checked.contains(entry.uid())) {
            var refusal = refusal(situation.topology(), entry);
            if (refusal.isPresent()) {
                return refusal.get();
            }
            checked.add(entry.uid());
        }
        var provisioned = new ArrayList<Member>();
        var pending = new ArrayList<String>();
        // All are asked for before any is waited for, so that they start side by side.
        for (var target : entry.targets()) {
            switch (ports.hosts().provision(target)) {
                case Provision.Pending wait -> pending.add("shard " + target.name() + ": " + wait.reason());
                case Provision.Ready ready ->
                    provisioned.add(new Member(target.range(), target.uid(), target.name(), ready.endpoint()));
            }
        }
        return pending.isEmpty() ? begin(situation, provisioned) : waiting("Provisioning", String.join("; ", pending));
    }

    private WorkflowReport begin(Situation situation, List<Member> targets) throws SQLException {
        checked.remove(situation.request().uid());
        var refusal = refusal(situation.topology(), situation.entry())
                .or(() -> userDifference(situation.entry().sources().getFirst(), targets));
        if (refusal.isPresent()) {
            return refusal.get();
        }
        var copying = new Phase.Copying();
        var edit = Entries.toPhase(situation.request().uid(), situation.phase(), copying);
        writer.apply(topology -> {
            var next = edit.edit(topology);
            return next == topology
                    ? topology
                    : withEndpoints(topology, next, situation.request().uid(), targets);
        });
        return Reports.going(copying, "Copying", "the targets' servers are ready; the copy begins", Reports.AT_ONCE);
    }

    private static Topology withEndpoints(Topology before, Topology next, String uid, List<Member> targets) {
        return TopologyWriter.with(
                before, next.shards(), Entries.replaced(next, uid, entry -> Entries.withTargets(entry, targets)));
    }

    private Optional<WorkflowReport> refusal(Topology topology, WorkflowEntry entry) throws SQLException {
        var problems = ports.precheck().problems(entry.sources(), topology.vschema());
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(Reports.blocked(
                        new Phase.Preparing(),
                        "NotMovable",
                        "the sources can't be moved yet: " + String.join("; ", problems)));
    }

    private Optional<WorkflowReport> userDifference(Member source, List<Member> targets) {
        try (var model = ports.admins().open(source.uid(), Streams.endpoint(source))) {
            for (var target : targets) {
                var differences = differences(model, target);
                if (!differences.isEmpty()) {
                    return Optional.of(waiting(
                            "UsersDiffer",
                            "users of " + target.name() + " are not those of " + source.name()
                                    + " (the operator brings the keyspace's users in line; others must be made on both"
                                    + " by hand): " + String.join("; ", differences)));
                }
            }
            return Optional.empty();
        } catch (SQLException e) {
            return Optional.of(waiting("ServerUnreachable", String.valueOf(e.getMessage())));
        }
    }

    private List<String> differences(ShardAdmin model, Member target) throws SQLException {
        try (var other = ports.admins().open(target.uid(), Streams.endpoint(target))) {
            return model.accounts().differences(other.accounts());
        }
    }

    private static WorkflowReport waiting(String reason, String message) {
        return Reports.going(new Phase.Preparing(), reason, message, Reports.LATER);
    }
}
