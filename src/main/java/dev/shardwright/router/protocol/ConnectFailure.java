package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.ErrPacket;
import org.jspecify.annotations.Nullable;

/**
 * Why there is no connection to a shard. Nothing was run.
 *
 * @param why in words
 * @param answer the server's refusal of the login, null when it did not come so far
 * @param mayComeBack the same attempt may succeed soon
 */
public record ConnectFailure(String why, @Nullable ErrPacket answer, boolean mayComeBack) {
    boolean isWrongPassword() {
        return answer != null && answer.errno() == ErrorCatalogue.ACCESS_DENIED;
    }

    static ConnectFailure unreachable(String why) {
        return new ConnectFailure(why, null, true);
    }

    static ConnectFailure refused(ErrPacket answer) {
        return new ConnectFailure(answer.message(), answer, ErrorCatalogue.loginMayComeBack(answer));
    }
}
