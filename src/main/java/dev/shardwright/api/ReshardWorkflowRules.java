package dev.shardwright.api;

/** What the schema demands of a ReshardWorkflow as a whole. */
final class ReshardWorkflowRules {
    static final String SAME_RANGE = "self.sourceShards[0].split('-')[0] == self.targetShards[0].split('-')[0]"
            + " && self.sourceShards[self.sourceShards.size() - 1].split('-')[1]"
            + " == self.targetShards[self.targetShards.size() - 1].split('-')[1]";
    static final String SAME_RANGE_MESSAGE =
            "targetShards must cover exactly the range of sourceShards: the first target"
                    + " begins where the first source begins, and the last target ends where the last source ends";

    static final String SPLIT_OR_MERGE = "(self.sourceShards.size() == 1) != (self.targetShards.size() == 1)";
    static final String SPLIT_OR_MERGE_MESSAGE =
            "a workflow either splits one source into several targets or merges several sources into one target:"
                    + " use two workflows to do both";

    static final String SOURCES_IN_ORDER = "sourceShards has a gap, an overlap or a wrong order: each range must begin"
            + " where the one before it ends; shards that are not neighbours cannot be merged";
    static final String TARGETS_IN_ORDER = "targetShards has a gap, an overlap or a wrong order: each range must begin"
            + " where the one before it ends, as in [\"c0-e0\", \"e0-\"]";

    static final String GOAL_CHANGE = "self.goal == oldSelf.goal"
            + " || (oldSelf.goal == 'Verified' && self.goal in ['Switched', 'Completed', 'Cancelled'])"
            + " || (oldSelf.goal == 'Switched' && self.goal in ['Completed', 'RolledBack'])"
            + " || (oldSelf.goal == 'Completed' && self.goal in ['Switched', 'RolledBack'])"
            + " || (oldSelf.goal == 'RolledBack' && self.goal in ['Switched', 'Completed', 'Cancelled'])";
    static final String GOAL_CHANGE_MESSAGE =
            "this change of goal is not possible: Verified can become Switched, Completed"
                    + " or Cancelled; Switched can become Completed or RolledBack; Completed can become Switched or RolledBack;"
                    + " RolledBack can become Switched, Completed or Cancelled; Cancelled is final";

    private ReshardWorkflowRules() {}
}
