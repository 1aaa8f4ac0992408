package dev.shardwright.local.bench;

import dev.shardwright.local.demo.DemoDirectory;
import dev.shardwright.local.demo.Terminal;
import dev.shardwright.local.workload.Address;
import org.jspecify.annotations.Nullable;

/**
 * What is measured.
 *
 * @param directory of Shardwright's servers, and of what clients leave
 * @param throttle of Shardwright's workflow, as YAML
 * @param other measured in place of Shardwright
 */
public record ContenderChoice(
        DemoDirectory directory, String throttle, @Nullable Other other) {

    /** Another system: the program that moves its keyspace, and two addresses (see {@link OtherSystem}). */
    public record Other(String program, Address address, Address source) {}

    Contender start(Terminal terminal) {
        return other == null
                ? new OwnKeyspace(directory.keyspace(), throttle, terminal)
                : new OtherSystem(other.program(), other.address(), other.source());
    }
}
