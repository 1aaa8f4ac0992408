package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.server.Setting;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every kind of key, in chunks of two rows, each changed again and again while it is copied and compared. */
class KeysIT {
    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture(new Setting("default_time_zone", "+05:30"));

    @Test
    void everyKindOfKeyIsFollowedWhileItsRowsChange() throws Exception {
        fixture.begin(
                List.of(WHOLE),
                Arrays.stream(KeyKind.values()).map(KeyKind::creation).toArray(String[]::new));
        try (var connection = fixture.app(WHOLE)) {
            KeyWriter.fill(connection);
        }
        for (var kind : KeyKind.values()) {
            assertThat(fixture.one(WHOLE, "SELECT COUNT(*) FROM chat." + kind.table()))
                    .as(kind.table())
                    .isNotEqualTo("0");
        }
        try (var writer = new KeyWriter(fixture.app(WHOLE))) {
            MoveFixture.awaitStage(fixture.splitSlowly(), Stage.Streaming);
        }
        fixture.assertSame(
                List.of(WHOLE),
                List.of(LOW, HIGH),
                Arrays.stream(KeyKind.values()).map(KeyKind::table).toArray(String[]::new));
        fixture.verifyAgain();
        MoveFixture.awaitStage(fixture.split(), Stage.Streaming);
    }
}
