package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.mover.MoverProgress;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.topology.keyrange.KeyRange;

/** What the mover of one source says. */
public record SourceProgress(KeyRange source, MoverProgress progress) {

    boolean reads() {
        return progress.stage() == Stage.Copying || progress.stage() == Stage.Verifying;
    }
}
