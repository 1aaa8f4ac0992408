package dev.shardwright.router.planner;

import dev.shardwright.router.planner.scan.Scan;

/**
 * A plan for one statement, and where its literals are.
 *
 * @param pins the statement leaves state on the backend connection that the router does not track (a user
 *     variable assigned in a SELECT, a lock, a temporary table): the session keeps that connection from here on
 * @param onLastBackend its answer depends on the session's previous statement (LAST_INSERT_ID(), ROW_COUNT() ...):
 *     it has to run where that one ran
 */
public record Planned(Plan plan, Scan scan, boolean pins, boolean onLastBackend) {
    static Planned of(Plan plan, Scan scan) {
        return new Planned(plan, scan, false, plan instanceof Plan.Session(SessionStatement.AboutLastStatement _));
    }
}
