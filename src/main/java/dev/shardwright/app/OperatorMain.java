package dev.shardwright.app;

import io.javaoperatorsdk.operator.Operator;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.inject.Inject;

/** The process of the role {@code operator}: it waits for its Lease, then reconciles until it is told to stop. */
@QuarkusMain
public final class OperatorMain {
    private OperatorMain() {}

    public static void main(String... args) {
        Quarkus.run(Running.class, args);
    }

    /** Runs inside Quarkus. */
    public static class Running implements QuarkusApplication {
        private final Operator operator;

        @Inject
        public Running(Operator operator) {
            this.operator = operator;
        }

        @Override
        public int run(String... args) {
            operator.start();
            Quarkus.waitForExit();
            return 0;
        }
    }
}
