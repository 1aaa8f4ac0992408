package dev.shardwright.app;

import dev.shardwright.operator.mapping.LeaseLeadership;
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
        private final Stopping stopping;
        private final LeaseLeadership leadership;

        @Inject
        public Running(Operator operator, Stopping stopping, LeaseLeadership leadership) {
            this.operator = operator;
            this.stopping = stopping;
            this.leadership = leadership;
        }

        @Override
        public int run(String... args) {
            operator.start();
            Quarkus.waitForExit();
            stopping.asTold(operator, leadership);
            return 0;
        }
    }
}
