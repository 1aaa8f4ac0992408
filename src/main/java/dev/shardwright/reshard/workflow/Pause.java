package dev.shardwright.reshard.workflow;

/** A short wait that ends the step when the process is being stopped. */
public final class Pause {
    private Pause() {}

    /** IllegalStateException when the thread is interrupted. */
    public static void millis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: the process is being stopped", e);
        }
    }
}
