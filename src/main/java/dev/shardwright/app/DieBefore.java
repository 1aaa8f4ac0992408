package dev.shardwright.app;

import dev.shardwright.reshard.cutover.Step;
import dev.shardwright.reshard.cutover.StepListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For tests of crashes: with SHARDWRIGHT_DIE_BEFORE=STEP the process ends at once, without any clean-up, the first
 * time that a switchover comes to this step. A mark in the temporary directory makes it do so only once a pod.
 */
record DieBefore(Step fatal, Path mark) implements StepListener {
    static final String VARIABLE = "SHARDWRIGHT_DIE_BEFORE";
    private static final int KILLED = 137;
    private static final Logger log = LoggerFactory.getLogger(DieBefore.class);

    static StepListener fromEnvironment() {
        return Optional.ofNullable(System.getenv(VARIABLE))
                .filter(name -> !name.isEmpty())
                .<StepListener>map(name -> new DieBefore(
                        Step.valueOf(name), Path.of(System.getProperty("java.io.tmpdir"), "died-before-" + name)))
                .orElse(StepListener.NONE);
    }

    @Override
    public void before(Step step) {
        if (step != fatal || Files.exists(mark)) {
            return;
        }
        try {
            Files.createFile(mark);
        } catch (IOException e) {
            log.warn("{} can't be written, so nobody dies: {}", mark, e.getMessage());
            return;
        }
        log.warn("{}: ending before step {}", VARIABLE, step);
        Runtime.getRuntime().halt(KILLED);
    }
}
