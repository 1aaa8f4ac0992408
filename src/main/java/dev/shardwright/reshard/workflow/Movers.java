package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverSpec;
import java.util.Optional;

/** The movers of a workflow. A mover that dies is started again by its host and goes on from its checkpoints. */
public interface Movers {

    /** Makes sure that a mover with exactly this spec runs; one with another token or start is replaced. */
    void start(MoverSpec spec);

    /** Empty when it does not answer (yet). */
    Optional<MoverProgress> progress(String stream);

    /** Stops the stream's mover; true once it is gone. */
    boolean stop(String stream);
}
