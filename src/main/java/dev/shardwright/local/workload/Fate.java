package dev.shardwright.local.workload;

/**
 * What may have become of one row that the workload wrote: which versions of it may be there, and
 * whether it may be gone. Immutable.
 *
 * @param place value of the row's shard-key column
 * @param low oldest version that may be there
 * @param high newest version that may be there
 * @param mayBeThere false: it must not be there
 * @param mayBeGone false: it must be there
 * @param deleted an acknowledged delete is why it must not be there
 */
record Fate(long place, int low, int high, boolean mayBeThere, boolean mayBeGone, boolean deleted) {

    static Fate present(long place, int version) {
        return new Fate(place, version, version, true, false, false);
    }

    static Fate neverWritten(long place) {
        return new Fate(place, 0, 0, false, true, false);
    }

    static Fate inserted(long place, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Acknowledged _ -> present(place, 0);
            case Outcome.Failed _ -> neverWritten(place);
            case Outcome.Unknown _ -> new Fate(place, 0, 0, true, true, false);
        };
    }

    Fate edited(int version, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Acknowledged _ -> present(place, version);
            case Outcome.Failed _ -> this;
            case Outcome.Unknown _ -> new Fate(place, low, version, mayBeThere, mayBeGone, deleted);
        };
    }

    Fate dropped(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Acknowledged _ -> new Fate(place, low, high, false, true, true);
            case Outcome.Failed _ -> this;
            case Outcome.Unknown _ -> new Fate(place, low, high, mayBeThere, true, deleted);
        };
    }
}
