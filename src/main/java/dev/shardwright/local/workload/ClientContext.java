package dev.shardwright.local.workload;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** What the threads of one client share. */
record ClientContext(
        Address address, ChatData data, Known known, Cells cells, RunOptions options, BooleanSupplier stopping) {

    /** Odd threads prepare their statements on the server, even ones send text, so both ways are used. */
    ClientSession session(int thread, ThreadStats stats) {
        return new ClientSession(address, thread % 2 == 1, stats, stopping);
    }

    void pause() {
        Duration pause = options.pause();
        if (pause.isPositive()) {
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
