package dev.shardwright.local.demo;

import dev.shardwright.local.LocalKeyspace;
import dev.shardwright.local.workload.Address;
import dev.shardwright.topology.model.WorkflowEntry;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Does on purpose what must never happen, as soon as the first rows have arrived on a target. */
final class PlantedFault implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(10);

    private final LocalKeyspace keyspace;
    private final DemoOptions.Fault fault;
    private final Consumer<String> tell;
    private final Thread thread = Thread.ofPlatform().daemon().name("fault").unstarted(this::run);

    private PlantedFault(LocalKeyspace keyspace, DemoOptions.Fault fault, Consumer<String> tell) {
        this.keyspace = keyspace;
        this.fault = fault;
        this.tell = tell;
    }

    static PlantedFault start(LocalKeyspace keyspace, DemoOptions.Fault fault, Consumer<String> tell) {
        var planted = new PlantedFault(keyspace, fault, tell);
        if (fault != DemoOptions.Fault.NONE) {
            planted.thread.start();
        }
        return planted;
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                if (plant()) {
                    return;
                }
                Thread.sleep(LOOK);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private boolean plant() {
        return keyspace.topology().workflows().stream()
                .flatMap((WorkflowEntry workflow) -> workflow.targets().stream())
                .anyMatch(this::plantOn);
    }

    private boolean plantOn(Member target) {
        var primary = target.primary();
        if (primary == null) {
            return false;
        }
        Address server = keyspace.administrator().at(primary.host(), primary.port());
        try (var connection = server.connect(false)) {
            var row = arrived(connection);
            row.ifPresent(key -> strike(connection, target, key));
            return row.isPresent();
        } catch (SQLException e) {
            // Its tables are not there yet.
            return false;
        }
    }

    private record Key(long channel, long id) {}

    private static Optional<Key> arrived(Connection connection) throws SQLException {
        // Messages with such an id are never changed by the clients, so only the comparison can notice.
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT channel_id, id FROM messages WHERE id % 4 = 0 LIMIT 1")) {
            return rows.next() ? Optional.of(new Key(rows.getLong(1), rows.getLong(2))) : Optional.empty();
        }
    }

    private void strike(Connection connection, Member target, Key key) {
        switch (fault) {
            case NONE -> {}
            case KILL_MOVER -> {
                keyspace.crashMovers();
                tell.accept("fault: the mover was killed in the copy and started again");
            }
            case DELETE_ROW -> {
                try (var delete = connection.prepareStatement("DELETE FROM messages WHERE channel_id = ? AND id = ?")) {
                    delete.setLong(1, key.channel());
                    delete.setLong(2, key.id());
                    delete.executeUpdate();
                    tell.accept("fault: deleted the row channel_id=" + key.channel() + ", id=" + key.id()
                            + " of table messages on the new shard " + target.name());
                } catch (SQLException e) {
                    tell.accept("fault: could not be planted: " + e.getMessage());
                }
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
