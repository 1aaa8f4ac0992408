package dev.shardwright.operator.reconcile;

import dev.shardwright.api.Keyspace;
import dev.shardwright.operator.mapping.World;
import dev.shardwright.operator.status.Problem;
import dev.shardwright.topology.model.Topology;
import dev.shardwright.topology.model.WorkflowEntry;
import java.util.stream.Collectors;

/** Brings an edited vschema into the topology; while a workflow is there it has to wait. */
final class VSchemaKeeper {
    /** Returns the topology as it is afterwards. */
    Topology keep(Keyspace keyspace, World world, Topology topology, KeyspaceState state) {
        var wanted = keyspace.getSpec().vschema();
        if (topology.vschema().equals(wanted)) {
            return topology;
        }
        if (!topology.workflows().isEmpty()) {
            var names = topology.workflows().stream().map(WorkflowEntry::name).collect(Collectors.joining(", "));
            state.vschemaProblem(new Problem(
                    "WaitingForWorkflow",
                    "the changed vschema takes effect when workflow " + names + " is completed or cancelled"));
            return topology;
        }
        var read = world.store().read();
        if (read.isEmpty() || read.get().topology().epoch() != topology.epoch()) {
            state.vschemaProblem(new Problem("Retrying", "the topology is changing; the vschema is applied next"));
            return topology;
        }
        var next = new Topology(
                topology.format(),
                topology.keyspace(),
                topology.epoch() + 1,
                topology.shards(),
                topology.workflows(),
                wanted);
        if (world.store().compareAndSet(read.get(), next)) {
            return next;
        }
        state.vschemaProblem(new Problem("Retrying", "the topology is changing; the vschema is applied next"));
        return topology;
    }
}
