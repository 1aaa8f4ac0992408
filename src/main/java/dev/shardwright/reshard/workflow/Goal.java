package dev.shardwright.reshard.workflow;

import java.util.Set;

/** How far a workflow is to go; changed by its owner while it runs. */
public enum Goal {
    /** Copy, verify, and keep the targets equal; the sources serve. */
    Verified,
    /** The targets serve; the way back stays open. */
    Switched,
    /** The targets serve and the sources are retired. */
    Completed,
    /** The sources serve again; the targets are kept equal so that it can be switched again. */
    RolledBack,
    /** The sources serve, the targets are retired, and the claim is released. Final. */
    Cancelled;

    /** Whether the owner may replace this goal by {@code next}. */
    public boolean mayBecome(Goal next) {
        return next == this || successors().contains(next);
    }

    /** What a refused change is told. */
    public String refusal(Goal next) {
        return "goal can't change from " + this + " to " + next + ": from " + this + " it can become "
                + (successors().isEmpty() ? "nothing else" : successors());
    }

    private Set<Goal> successors() {
        return switch (this) {
            case Verified -> Set.of(Switched, Completed, Cancelled);
            case Switched -> Set.of(Completed, RolledBack);
            case Completed -> Set.of(Switched, RolledBack);
            case RolledBack -> Set.of(Switched, Completed, Cancelled);
            case Cancelled -> Set.of();
        };
    }
}
