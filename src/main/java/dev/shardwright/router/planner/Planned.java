package dev.shardwright.router.planner;

import dev.shardwright.router.planner.scan.Scan;

/** A plan for one statement, where its literals are, and what it has to do with the session. */
public record Planned(Plan plan, Scan scan, SessionUse use) {
    static Planned of(Plan plan, Scan scan) {
        return new Planned(plan, scan, SessionUse.NONE);
    }
}
