package dev.shardwright.reshard.workflow;

import dev.shardwright.api.VSchema;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.util.List;

/** Whether a source shard's tables can be moved by the movers. */
@FunctionalInterface
public interface Precheck {

    /** What stands in the way, in words for a DBA, each naming its table; empty when nothing does. */
    List<String> problems(Member source, VSchema vschema) throws SQLException;
}
