package dev.shardwright.reshard.cutover;

import dev.shardwright.mysql.admin.ShardAdmin;
import dev.shardwright.reshard.workflow.Admins;
import dev.shardwright.reshard.workflow.Pause;
import dev.shardwright.reshard.workflow.Streams;
import dev.shardwright.topology.model.WorkflowEntry.Member;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One admin connection to each server that takes part, opened before they are needed, used in parallel. */
final class Servers implements AutoCloseable {
    private static final long ENDING_MILLIS = 2_000;

    private final Admins admins;
    private final Map<String, ShardAdmin> open = new ConcurrentHashMap<>();

    Servers(Admins admins) {
        this.admins = admins;
    }

    /** Connects to all; ends the sessions that any former leader of ours still has there, and waits for that. */
    void openAlone(Collection<Member> members) throws SQLException {
        each(members, (member, ignored) -> {
            alone(reopen(member));
            return true;
        });
    }

    /** Connects to all. */
    void open(Collection<Member> members) throws SQLException {
        each(members, (member, ignored) -> reopen(member));
    }

    /** The connection that is open, or a new one where there is none. */
    ShardAdmin of(Member member) throws SQLException {
        var admin = open.get(member.uid());
        return admin != null ? admin : reopen(member);
    }

    /** A new connection whose server does nothing for an older one of ours any more. */
    ShardAdmin reopenAlone(Member member) throws SQLException {
        var admin = reopen(member);
        alone(admin);
        return admin;
    }

    private ShardAdmin reopen(Member member) throws SQLException {
        var old = open.remove(member.uid());
        if (old != null) {
            old.close();
        }
        var admin = admins.open(member.uid(), Streams.endpoint(member));
        open.put(member.uid(), admin);
        return admin;
    }

    private static void alone(ShardAdmin admin) throws SQLException {
        var deadline = Deadline.in(java.time.Duration.ofMillis(ENDING_MILLIS));
        while (!admin.endOtherAdmins()) {
            if (deadline.passed()) {
                throw new SQLException("a former session of the operator's account does not end; end it by hand");
            }
            Pause.millis(5);
        }
    }

    @FunctionalInterface
    interface Task<T> {
        T run(Member member, Servers servers) throws SQLException;
    }

    /** Runs the task for all members at once; all have ended when this returns or throws the first failure. */
    <T> Map<Member, T> each(Collection<Member> members, Task<T> task) throws SQLException {
        var futures = new LinkedHashMap<Member, Future<T>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var member : members) {
                Callable<T> call = () -> task.run(member, this);
                futures.put(member, threads.submit(call));
            }
        }
        var results = new LinkedHashMap<Member, T>();
        for (var future : futures.entrySet()) {
            results.put(future.getKey(), result(future.getKey(), future.getValue()));
        }
        return results;
    }

    private static <T> T result(Member member, Future<T> future) throws SQLException {
        try {
            return result(future);
        } catch (SQLException e) {
            throw new SQLException(
                    "shard " + member.name() + ": " + e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
        }
    }

    /** What a task of another thread came to, with its own failure if it failed. */
    static <T> T result(Future<T> future) throws SQLException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Error error -> throw error;
                case RuntimeException failure -> throw failure;
                case SQLException failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: the process is being stopped", e);
        }
    }

    @Override
    public void close() {
        open.values().forEach(ShardAdmin::close);
        open.clear();
    }
}
