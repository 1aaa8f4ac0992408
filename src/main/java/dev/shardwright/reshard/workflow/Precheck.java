package dev.shardwright.reshard.workflow;

import dev.shardwright.api.VSchema;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.util.List;

/** Whether the source shards' tables can be moved by the movers. */
@FunctionalInterface
public interface Precheck {

    /**
     * What stands in the way, in words for a DBA, each naming its table; empty when nothing does. Also whether the
     * sources of a merge have the same tables.
     */
    List<String> problems(List<Member> sources, VSchema vschema) throws SQLException;
}
