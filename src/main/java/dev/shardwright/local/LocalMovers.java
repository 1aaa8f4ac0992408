package dev.shardwright.local;

import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.reshard.mover.Mover;
import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.reshard.workflow.Movers;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Movers as threads of this process. */
final class LocalMovers implements Movers, AutoCloseable {
    private final MysqlAccount account;
    private final Map<String, Mover> movers = new HashMap<>();

    LocalMovers(MysqlAccount account) {
        this.account = account;
    }

    @Override
    public synchronized void start(MoverSpec spec) {
        var present = movers.get(spec.stream());
        if (present != null && present.spec().equals(spec)) {
            return;
        }
        stop(spec.stream());
        var mover = new Mover(spec, account);
        movers.put(spec.stream(), mover);
        mover.start();
    }

    @Override
    public synchronized Optional<MoverProgress> answer(String stream) {
        return Optional.ofNullable(movers.get(stream)).map(Mover::progress);
    }

    @Override
    public synchronized boolean stop(String stream) {
        var mover = movers.remove(stream);
        if (mover != null) {
            mover.close();
        }
        return true;
    }

    /** Ends every mover as a crash would, and starts it anew from what it left in the targets. */
    synchronized void crash() {
        movers.replaceAll((_, mover) -> {
            mover.close();
            var again = new Mover(mover.spec(), account);
            again.start();
            return again;
        });
    }

    @Override
    public synchronized void close() {
        movers.values().forEach(Mover::close);
        movers.clear();
    }
}
