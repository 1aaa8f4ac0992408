package dev.shardwright.local;

import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.reshard.mover.Movability;
import dev.shardwright.reshard.workflow.Precheck;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks at the sources' tables before anything is made for the targets. */
final class LocalPrecheck implements Precheck {
    private final String keyspace;
    private final LocalServers servers;
    private final MysqlAccount account;

    LocalPrecheck(String keyspace, LocalServers servers, MysqlAccount account) {
        this.keyspace = keyspace;
        this.servers = servers;
        this.account = account;
    }

    @Override
    public List<String> problems(List<Member> sources, VSchema vschema) throws SQLException {
        var problems = new ArrayList<String>();
        try (var first = server(sources.getFirst()).connect(account)) {
            for (var source : sources) {
                try (var connection = server(source).connect(account)) {
                    Movability.problems(connection, keyspace, source.range(), vschema)
                            .forEach(problem -> problems.add("shard " + source.name() + ": " + problem));
                    if (!source.equals(sources.getFirst())) {
                        problems.addAll(Movability.differences(first, connection, keyspace, source.range(), vschema));
                    }
                }
            }
        }
        return problems;
    }

    private LocalMysqld server(Member shard) throws SQLException {
        return servers.server(shard.uid())
                .orElseThrow(() -> new SQLException("the server of shard " + shard.name() + " is not running"));
    }
}
