package dev.shardwright.router.planner;

import dev.shardwright.router.planner.scan.Scan;

/**
 * A plan for one statement, and where its literals are.
 *
 * @param pins the statement leaves state on the backend connection that the router does not track (a user
 *     variable assigned in a SELECT, a lock, a temporary table): the session keeps that connection from here on
 */
public record Planned(Plan plan, Scan scan, boolean pins) {}
