package dev.shardwright.reshard.workflow;

import dev.shardwright.reshard.workflow.Phase.*;

/** What a goal asks for in a phase. */
public sealed interface Intent {
    record Claim() implements Intent {}

    record Prepare() implements Intent {}

    /** Copy, catch up, verify. */
    record Move() implements Intent {}

    /** Nothing to do but keep things as they are; the goal is reached. */
    record Hold() implements Intent {}

    /** Begin a switchover to the targets, or back. */
    record Switch(boolean back) implements Intent {}

    /** A switchover was interrupted: look, and go on, or back where {@code goOn} is false and it still can be. */
    record Resume(boolean back, boolean goOn) implements Intent {}

    record Complete() implements Intent {}

    /** From Completing back to Switched. */
    record Reopen() implements Intent {}

    record Retire() implements Intent {}

    record Cancel() implements Intent {}

    /** The life is over as the goal wished. */
    record Done() implements Intent {}

    /** This goal can't be reached from here; everything stays as it is. */
    record Refuse(String message) implements Intent {}

    /** The one table of what each goal means in each phase. */
    static Intent of(Phase phase, Goal goal) {
        return switch (phase) {
            case Pending p -> goal == Goal.Cancelled ? new Done() : new Claim();
            case Preparing p -> goal == Goal.Cancelled ? new Cancel() : new Prepare();
            case Copying p -> moving(goal);
            case CatchingUp p -> moving(goal);
            case Verifying p -> moving(goal);
            case Verified p -> onSources(goal);
            case RolledBack p -> onSources(goal);
            case Switching p -> new Resume(false, goal == Goal.Switched || goal == Goal.Completed);
            case RollingBack p -> new Resume(true, goal == Goal.RolledBack || goal == Goal.Cancelled);
            case Switched p -> onTargets(goal);
            case Completing p -> completing(goal);
            case Retiring p -> new Retire();
            case Cancelling p -> new Cancel();
            case Completed p -> goal == Goal.Completed ? new Done() : over("Completed: the old shards are retired");
            case Cancelled p -> goal == Goal.Cancelled ? new Done() : over("Cancelled");
        };
    }

    private static Intent moving(Goal goal) {
        return goal == Goal.Cancelled ? new Cancel() : new Move();
    }

    private static Intent onSources(Goal goal) {
        return switch (goal) {
            case Verified, RolledBack -> new Hold();
            case Switched, Completed -> new Switch(false);
            case Cancelled -> new Cancel();
        };
    }

    private static Intent onTargets(Goal goal) {
        return switch (goal) {
            case Switched -> new Hold();
            case Completed -> new Complete();
            case RolledBack -> new Switch(true);
            // Reached by RolledBack and then, before that came about, Cancelled. The way leads over the sources.
            case Cancelled -> new Switch(true);
            case Verified ->
                new Refuse("the targets serve, so goal Verified can't be reached: set goal RolledBack to let the"
                        + " sources serve again");
        };
    }

    private static Intent completing(Goal goal) {
        return switch (goal) {
            case Completed -> new Complete();
            case Switched, RolledBack -> new Reopen();
            case Verified, Cancelled ->
                new Refuse("the workflow is completing, so goal " + goal
                        + " can't be reached: set goal RolledBack first," + " or Completed to let it end");
        };
    }

    private static Intent over(String how) {
        return new Refuse("the workflow is " + how + "; make a new ReshardWorkflow to move the data again");
    }
}
