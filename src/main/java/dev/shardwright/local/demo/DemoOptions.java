package dev.shardwright.local.demo;

import dev.shardwright.local.workload.ChatShape;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How the demo runs.
 *
 * @param directory everything is kept here; what an earlier demo left in it is removed
 * @param clients client processes
 * @param threads writers of each client, and as many readers
 * @param pause how long each of these rests after a statement
 * @param around how long the clients work before the split begins and after it is done
 * @param keepData whether the servers' data stay when the demo is over
 */
public record DemoOptions(
        Path directory,
        ChatShape shape,
        int clients,
        int threads,
        Duration pause,
        Duration around,
        Fault fault,
        boolean keepData) {

    /** What is made to go wrong on purpose. */
    public enum Fault {
        NONE,
        /** A row is deleted behind the mover's back on a target, before the comparison: the demo must fail and name it. */
        DELETE_ROW,
        /** The mover is killed in the copy: nothing may be lost. */
        KILL_MOVER
    }

    public static DemoOptions in(Path directory) {
        return new DemoOptions(
                directory, ChatShape.DEFAULT, 2, 2, Duration.ofMillis(5), Duration.ofSeconds(3), Fault.NONE, false);
    }

    public DemoOptions with(Fault planted) {
        return new DemoOptions(directory, shape, clients, threads, pause, around, planted, keepData);
    }

    public DemoOptions with(ChatShape other) {
        return new DemoOptions(directory, other, clients, threads, pause, around, fault, keepData);
    }

    /** That many clients of each kind in all, and as much load as with the default. */
    public DemoOptions withThreads(int each) {
        return new DemoOptions(
                directory,
                shape,
                clients,
                each / clients,
                pause.multipliedBy(each).dividedBy((long) clients * threads),
                around,
                fault,
                keepData);
    }

    public DemoOptions keepingData(boolean keep) {
        return new DemoOptions(directory, shape, clients, threads, pause, around, fault, keep);
    }
}
