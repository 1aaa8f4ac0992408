package dev.shardwright.reshard.mover;

import dev.shardwright.reshard.mover.MoverProgress.Stage;

/** Hears of each stage that a mover comes to, on the thread that is about to begin it. */
@FunctionalInterface
public interface StageListener {
    void before(Stage stage);
}
