package dev.shardwright.reshard.cutover;

/** Hears of each step of a switchover; tests kill it here. */
public interface StepListener {
    StepListener NONE = new StepListener() {};

    /** The step is about to act. */
    default void before(Step step) {}

    /** The step has acted. */
    default void after(Step step) {}
}
