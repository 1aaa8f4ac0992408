package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverSpec;
import java.util.Optional;

/** The movers of a workflow. A mover that dies is started again by its host and goes on from its checkpoints. */
public interface Movers {

    /** Makes sure that a mover with exactly this spec runs; one with another token or start is replaced. */
    void start(MoverSpec spec);

    /** What is answered at the address of the stream's mover, by whomever; empty: nothing (yet). */
    Optional<MoverProgress> answer(String stream);

    /** Empty when no mover with this stream and token answers (yet). */
    default Optional<MoverProgress> progress(MoverSpec spec) {
        return answer(spec.stream()).filter(answer -> answer.isOf(spec));
    }

    /** Stops the stream's mover; true once it is gone. */
    boolean stop(String stream);
}
