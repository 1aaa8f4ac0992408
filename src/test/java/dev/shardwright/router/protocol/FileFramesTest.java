package dev.shardwright.router.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.wire.PacketBuilder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class FileFramesTest {

    @Test
    void theEmptyPacketIsTheEndWhereverTheBytesAreCut() {
        for (int cut = 0; cut <= 14; cut++) {
            var in = Unpooled.buffer();
            PacketBuilder.begin(in, 2).text("one").end();
            PacketBuilder.begin(in, 3).text("two").end();
            PacketBuilder.begin(in, 4).end();
            int length = in.readableBytes();
            in.writeBytes(new byte[] {1, 0, 0, 0, 14});
            var frames = new FileFrames(2, 0);
            int first = frames.scan(in.slice(0, cut), false);
            assertThat(frames.ended()).as("cut at %s", cut).isFalse();
            int second = frames.scan(in.slice(first, in.readableBytes() - first), false);
            assertThat(first + second).isEqualTo(length);
            assertThat(frames.ended()).isTrue();
            assertThat(frames.next()).isEqualTo(5);
        }
    }

    @Test
    void anEmptyPacketThatContinuesALongOneIsNotTheEnd() {
        var in = Unpooled.buffer();
        int next = PacketBuilder.begin(in, 2).zeros(PacketBuilder.FULL).end();
        assertThat(next).as("in two pieces").isEqualTo(4);
        var frames = new FileFrames(2, 0);
        assertThat(frames.scan(in, false)).isEqualTo(in.readableBytes());
        assertThat(frames.ended()).isFalse();
        var end = Unpooled.buffer();
        PacketBuilder.begin(end, next).end();
        frames.scan(end, false);
        assertThat(frames.ended()).isTrue();
    }

    @Test
    void packetsGetTheNumbersThatTheServerWaitsFor() {
        var in = packet(255, 256);
        var frames = new FileFrames(255, 253);
        frames.scan(in, false);
        assertThat(in.getByte(3)).isEqualTo((byte) 2);
        assertThat(in.getByte(8)).isEqualTo((byte) 3);
    }

    @Test
    void wrongNumbersAreSeenUnlessPacketsHaveNone() {
        var frames = new FileFrames(2, 0);
        frames.scan(packet(2, 2), false);
        assertThat(frames.outOfOrder()).isTrue();

        var compressed = new FileFrames(2, 0);
        var in = packet(7, 7);
        compressed.scan(in, true);
        assertThat(compressed.outOfOrder()).isFalse();
        assertThat(in.getByte(3)).isEqualTo((byte) 2);
    }

    /** Two packets of one byte. */
    private static ByteBuf packet(int first, int second) {
        var in = Unpooled.buffer();
        PacketBuilder.begin(in, first & 0xff).int1('a').end();
        PacketBuilder.begin(in, second & 0xff).int1('b').end();
        return in;
    }
}
