package dev.shardwright.router.planner;

import dev.shardwright.router.planner.scan.Scan;

/**
 * A plan for one statement, where its literals are, and what it has to do with the session.
 *
 * @param connectionIds unless this is empty, the client's id must be put into the text, and that text planned
 */
public record Planned(Plan plan, Scan scan, SessionUse use, ConnectionIds connectionIds) {
    Planned(Plan plan, Scan scan, SessionUse use) {
        this(plan, scan, use, ConnectionIds.NONE);
    }

    static Planned of(Plan plan, Scan scan) {
        return new Planned(plan, scan, SessionUse.NONE);
    }
}
