package dev.shardwright.local;

import dev.shardwright.reshard.cutover.Step;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which fault strikes at which step: every fault at every step there is. The switches have no default, so that a new
 * stage, step or fault does not compile before it has its place here.
 */
final class FaultMatrix {
    private FaultMatrix() {}

    /** A fault at one moment of a reshard's life. */
    sealed interface Cell {
        Fault fault();

        void run(FaultKeyspace keyspace) throws Exception;

        record AtStage(Stage stage, Fault fault) implements Cell {
            @Override
            public void run(FaultKeyspace keyspace) throws Exception {
                keyspace.strikeAt(stage, fault);
            }

            @Override
            public String toString() {
                return fault + " at " + stage;
            }
        }

        record AtStep(Step step, Fault fault) implements Cell {
            @Override
            public void run(FaultKeyspace keyspace) throws Exception {
                keyspace.strikeAt(step, fault);
            }

            @Override
            public String toString() {
                return fault + " at " + step;
            }
        }
    }

    static List<Cell> all() {
        return Stream.<Cell>concat(
                        stages().flatMap(stage ->
                                Stream.of(Fault.values()).map(fault -> new Cell.AtStage(stage, fault))),
                        Stream.of(Step.values())
                                .flatMap(step -> Stream.of(Fault.values()).map(fault -> new Cell.AtStep(step, fault))))
                .toList();
    }

    /** Each step once, and each fault once at least. */
    static List<Cell> fast() {
        return Stream.concat(
                        stages().<Cell>map(stage -> new Cell.AtStage(stage, fastAt(stage))),
                        Arrays.stream(Step.values()).map(step -> new Cell.AtStep(step, fastAt(step))))
                .toList();
    }

    /** Those that a reshard passes through when all goes well. */
    private static Stream<Stage> stages() {
        return Stream.of(Stage.values()).filter(FaultMatrix::isOnTheWay);
    }

    private static boolean isOnTheWay(Stage stage) {
        return switch (stage) {
            case Starting, Copying, CatchingUp, Verifying, Streaming -> true;
            case Mismatched, Failed -> false;
        };
    }

    private static Fault fastAt(Stage stage) {
        return switch (stage) {
            case Starting -> Fault.DISK_FULL;
            case Copying -> Fault.KILL_TARGET;
            case CatchingUp -> Fault.KILL_SOURCE;
            case Verifying -> Fault.STOP_MOVER;
            case Streaming -> Fault.STORE_AWAY;
            case Mismatched, Failed -> throw new IllegalArgumentException(stage + " is not on the way");
        };
    }

    private static Fault fastAt(Step step) {
        return switch (step) {
            case READY -> Fault.KILL_MOVER;
            case ADMIT -> Fault.KILL_OPERATOR;
            case MARK_FENCED -> Fault.STORE_AWAY;
            case DRAIN -> Fault.CUT_ROUTER;
            case FREEZE -> Fault.KILL_ROUTER;
            case END_SESSIONS -> Fault.STOP_ROUTER;
            case READ_G -> Fault.STOP_SOURCE;
            case PERSIST_FENCE -> Fault.KILL_SOURCE;
            case COMPARE -> Fault.KILL_TARGET;
            case RAISE_COUNTERS -> Fault.STOP_TARGET;
            case CREATE_TRIGGERS -> Fault.KILL_OPERATOR;
            case APPLY_G -> Fault.KILL_MOVER;
            case RAISE_TOKENS -> Fault.STOP_OPERATOR;
            case READ_R -> Fault.KILL_SOURCE;
            case FLIP -> Fault.KILL_OPERATOR;
            case OPEN -> Fault.CUT_TARGET;
            case WAY_BACK -> Fault.CUT_SOURCE;
            case CLOSE -> Fault.KILL_SOURCE;
            case MARK_UNFENCING -> Fault.KILL_OPERATOR;
            case THAW -> Fault.KILL_SOURCE;
            case MARK_SERVING -> Fault.KILL_OPERATOR;
        };
    }
}
