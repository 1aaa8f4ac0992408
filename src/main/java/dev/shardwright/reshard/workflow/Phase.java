package dev.shardwright.reshard.workflow;

import java.util.stream.Stream;

/** A phase in a workflow's life. Persisted by name in {@code WorkflowEntry.phase}. */
public sealed interface Phase {

    /** Has no claim yet. Not persisted. */
    record Pending() implements Phase {}

    /** Has claimed its sources; the targets' servers are being made and the sources checked. */
    record Preparing() implements Phase {}

    record Copying() implements Phase {}

    record CatchingUp() implements Phase {}

    record Verifying() implements Phase {}

    /** The targets are equal to the sources and are kept so; the sources serve. */
    record Verified() implements Phase {}

    /** A switchover to the targets is under way: the sources are Fenced or Unfencing. */
    record Switching() implements Phase {}

    /** The targets serve; changes flow back to the sources. */
    record Switched() implements Phase {}

    /** A switchover back to the sources is under way: the targets are Fenced or Unfencing. */
    record RollingBack() implements Phase {}

    /** The sources serve again; changes flow to the targets. */
    record RolledBack() implements Phase {}

    /** The streams back are being stopped; the last moment to think again. */
    record Completing() implements Phase {}

    /** The sources are being retired; there is no way back. */
    record Retiring() implements Phase {}

    /** The entry is gone from the topology. Not persisted there. */
    record Completed() implements Phase {}

    /** The movers are being stopped and the targets retired. */
    record Cancelling() implements Phase {}

    /** The entry is gone from the topology. Not persisted there. */
    record Cancelled() implements Phase {}

    /** Whether a workflow may go from this phase straight to {@code next}: the one table of the lifecycle. */
    default boolean leadsTo(Phase next) {
        return switch (this) {
            case Pending p -> next instanceof Preparing || next instanceof Cancelled;
            case Preparing p -> next instanceof Copying || next instanceof Cancelling;
            case Copying p ->
                next instanceof CatchingUp
                        || next instanceof Verifying
                        || next instanceof Verified
                        || next instanceof Cancelling;
            case CatchingUp p -> next instanceof Verifying || next instanceof Verified || next instanceof Cancelling;
            case Verifying p -> next instanceof Verified || next instanceof Cancelling;
            case Verified p -> next instanceof Switching || next instanceof Cancelling;
            case Switching p -> next instanceof Switched || next instanceof Verified || next instanceof RolledBack;
            case Switched p -> next instanceof RollingBack || next instanceof Completing;
            case RollingBack p -> next instanceof RolledBack || next instanceof Switched;
            case RolledBack p -> next instanceof Switching || next instanceof Cancelling;
            case Completing p -> next instanceof Retiring || next instanceof Switched;
            case Retiring p -> next instanceof Completed;
            case Cancelling p -> next instanceof Cancelled;
            case Completed p -> false;
            case Cancelled p -> false;
        };
    }

    /** Whether the sources serve in this phase; while a switchover is under way, whether they did before it. */
    default boolean sourcesServe() {
        return switch (this) {
            case Pending p -> true;
            case Preparing p -> true;
            case Copying p -> true;
            case CatchingUp p -> true;
            case Verifying p -> true;
            case Verified p -> true;
            case Switching p -> true;
            case RolledBack p -> true;
            case Cancelling p -> true;
            case Cancelled p -> true;
            case Switched p -> false;
            case RollingBack p -> false;
            case Completing p -> false;
            case Retiring p -> false;
            case Completed p -> false;
        };
    }

    /** As it is persisted and shown. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** The phase of this name; IllegalArgumentException when there is none, as after a downgrade. */
    static Phase of(String name) {
        return all().filter(phase -> phase.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "'" + name
                                        + "' is not a phase that this version knows: run the version that wrote the topology, or a newer one"));
    }

    /** All phases, in the order of an ordinary life. */
    static Stream<Phase> all() {
        return Stream.of(
                new Pending(),
                new Preparing(),
                new Copying(),
                new CatchingUp(),
                new Verifying(),
                new Verified(),
                new Switching(),
                new Switched(),
                new RollingBack(),
                new RolledBack(),
                new Completing(),
                new Retiring(),
                new Completed(),
                new Cancelling(),
                new Cancelled());
    }
}
