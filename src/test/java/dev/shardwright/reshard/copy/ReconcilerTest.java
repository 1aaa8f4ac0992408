package dev.shardwright.reshard.copy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReconcilerTest {
    private static final int SIMULATIONS = 100;

    @Test
    void whateverTheOrderOfEventsTheTargetsEndUpWithTheSourcesRows() {
        var crashes = 0;
        var again = 0;
        for (int seed = 0; seed < SIMULATIONS; seed++) {
            var simulation = new CopySimulation(seed);
            try {
                simulation.run();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
            crashes += simulation.crashes;
            again += simulation.again;
        }
        assertThat(crashes).as("crashes that were simulated").isGreaterThan(SIMULATIONS);
        assertThat(again).as("chunks that had to be read again").isPositive();
    }
}
