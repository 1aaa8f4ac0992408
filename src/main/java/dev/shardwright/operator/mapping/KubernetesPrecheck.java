package dev.shardwright.operator.mapping;

import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.reshard.mover.Movability;
import dev.shardwright.reshard.workflow.Admins;
import dev.shardwright.reshard.workflow.Precheck;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks at the sources' tables by admin connections. */
final class KubernetesPrecheck implements Precheck {
    private final String keyspace;
    private final Admins admins;

    KubernetesPrecheck(String keyspace, Admins admins) {
        this.keyspace = keyspace;
        this.admins = admins;
    }

    @Override
    public List<String> problems(List<Member> sources, VSchema vschema) throws SQLException {
        var problems = new ArrayList<String>();
        try (var first = open(sources.getFirst())) {
            problems.addAll(of(first, sources.getFirst(), vschema));
            for (var source : sources.subList(1, sources.size())) {
                try (var admin = open(source)) {
                    problems.addAll(of(admin, source, vschema));
                    problems.addAll(Movability.differences(
                            first.connection(), admin.connection(), keyspace, source.range(), vschema));
                }
            }
        }
        return problems;
    }

    private List<String> of(ShardAdmin admin, Member source, VSchema vschema) throws SQLException {
        return Movability.problems(admin.connection(), keyspace, source.range(), vschema);
    }

    private ShardAdmin open(Member source) throws SQLException {
        var endpoint = source.primary();
        if (endpoint == null) {
            throw new SQLException("shard " + source.range() + " has no address in the topology");
        }
        return admins.open(source.uid(), endpoint);
    }
}
