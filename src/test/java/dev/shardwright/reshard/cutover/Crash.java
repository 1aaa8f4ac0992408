package dev.shardwright.reshard.cutover;

/** The process dies here. Nothing of ours may catch it. */
final class Crash extends Error {
    private static final long serialVersionUID = 1;

    Crash(String where) {
        super(where);
    }

    /** Dies once, before or after a step. */
    static StepListener at(Step step, boolean before) {
        return new StepListener() {
            private boolean dead;

            @Override
            public void before(Step reached) {
                die(reached, before);
            }

            @Override
            public void after(Step reached) {
                die(reached, !before);
            }

            private void die(Step reached, boolean here) {
                if (here && reached == step && !dead) {
                    dead = true;
                    throw new Crash((before ? "before " : "after ") + step);
                }
            }
        };
    }
}
