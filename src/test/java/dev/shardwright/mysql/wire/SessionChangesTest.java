package dev.shardwright.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class SessionChangesTest {
    private static final OkPacket OK = OkPacket.of(ServerStatus.AUTOCOMMIT);

    @Test
    void changesFollowEachOtherInTheirOrder() {
        var changes = SessionChanges.none().database("ab").transaction(true);
        assertThat(written(changes, Capability.SESSION_TRACK))
                .isEqualTo("19000001" + "000000" + "0240" + "0000" + "00" + "10" + "0103026162"
                        + "050908545f5f5f5f5f5f5f");
    }

    @Test
    void thereMayBeNoneOfTheChangesThatAreTold() {
        assertThat(written(SessionChanges.none(), Capability.SESSION_TRACK))
                .isEqualTo("09000001" + "000000" + "0240" + "0000" + "00" + "00");
    }

    @Test
    void othersAreToldNothing() {
        var plain = "07000001" + "000000" + "0200" + "0000";
        assertThat(written(SessionChanges.none().database("ab"), 0)).isEqualTo(plain);
        assertThat(written(null, Capability.SESSION_TRACK)).isEqualTo(plain);
    }

    private static String written(@org.jspecify.annotations.Nullable SessionChanges changes, int capabilities) {
        var out = Unpooled.buffer();
        assertThat(OK.write(out, 1, changes, capabilities)).isEqualTo(2);
        return ByteBufUtil.hexDump(out);
    }
}
