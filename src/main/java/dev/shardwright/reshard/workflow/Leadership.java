package dev.shardwright.reshard.workflow;

/** Whether this process may act. Asked after an admin connection is opened and before it is used. */
public interface Leadership {

    /** Throws IllegalStateException when this process does not hold the lease (any more). */
    void ensure();

    Leadership ALWAYS = () -> {};
}
