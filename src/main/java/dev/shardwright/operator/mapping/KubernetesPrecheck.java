package dev.shardwright.operator.mapping;

import dev.shardwright.api.VSchema;
import dev.shardwright.reshard.workflow.Precheck;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.util.List;

/** Lets nothing be moved while there is nothing yet that can look at the tables. */
final class KubernetesPrecheck implements Precheck {
    @Override
    public List<String> problems(List<Member> sources, VSchema vschema) {
        return List.of("this version cannot check yet whether the tables can be moved");
    }
}
