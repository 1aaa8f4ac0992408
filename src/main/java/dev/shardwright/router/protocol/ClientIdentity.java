package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.Capability;
import org.jspecify.annotations.Nullable;

/**
 * Who a client is and how it speaks, fixed at its login.
 *
 * @param capabilities those that both sides have
 * @param database named at the login, null if none was
 */
public record ClientIdentity(
        int connectionId,
        String user,
        String password,
        String host,
        int capabilities,
        int collation,
        @Nullable String database) {

    public boolean deprecateEof() {
        return Capability.has(capabilities, Capability.DEPRECATE_EOF);
    }

    /** Whether its statements carry query attributes. */
    public boolean queryAttributes() {
        return Capability.has(capabilities, Capability.QUERY_ATTRIBUTES);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "'" + user + "'@'" + host + "' (connection " + Integer.toUnsignedString(connectionId) + ")";
    }
}
