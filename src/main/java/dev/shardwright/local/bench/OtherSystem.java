package dev.shardwright.local.bench;

import dev.shardwright.local.workload.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A keyspace of another system that speaks MySQL's protocol. A program moves it; it is called with one word of Prepare, Copy,
 * Verify, Switch and Reverse, and ends when that is done, with 0 if it has succeeded.
 *
 * @param address where applications connect
 * @param source the MySQL server that has all rows until the split
 */
record OtherSystem(String program, Address address, Address source) implements Contender {
    private static final Duration WITHIN = Duration.ofMinutes(20);

    @Override
    public Moved move() throws InterruptedException {
        call("Prepare");
        return new Moved(call("Copy"), call("Verify"));
    }

    @Override
    public String serve(boolean newShards) throws InterruptedException {
        call(newShards ? "Switch" : "Reverse");
        return "";
    }

    private Span call(String what) throws InterruptedException {
        long from = System.currentTimeMillis();
        try {
            var process = new ProcessBuilder(program, what)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (!process.waitFor(WITHIN.toSeconds(), TimeUnit.SECONDS)) {
                process.destroy();
                throw new IllegalStateException(program + " " + what + " has not ended in " + WITHIN);
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(program + " " + what + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(program + " can't be run: " + e.getMessage(), e);
        }
        return new Span(from, System.currentTimeMillis());
    }

    /** Whoever has started it ends it. */
    @Override
    public void close() {}
}
