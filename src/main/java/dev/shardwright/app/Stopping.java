package dev.shardwright.app;

import dev.shardwright.operator.mapping.LeaseLeadership;
import io.javaoperatorsdk.operator.Operator;
import io.quarkus.arc.Unremovable;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The two ways in which an operator stops to lead: it is told to, or it has lost its Lease. */
@Singleton
@Unremovable
public final class Stopping {
    private static final Logger log = LoggerFactory.getLogger(Stopping.class);

    private volatile boolean asTold;

    /** Lets reconciliations that run come to their end, then gives the Lease back, so that the next one need not wait. */
    void asTold(Operator operator, LeaseLeadership leadership) {
        asTold = true;
        operator.stop();
        leadership.release();
    }

    /** Another one may lead by now: nothing of this process may go on. */
    void leaseIsLost() {
        if (!asTold) {
            log.error("the Lease is lost: this operator ends, to be started again");
            System.exit(1);
        }
    }
}
