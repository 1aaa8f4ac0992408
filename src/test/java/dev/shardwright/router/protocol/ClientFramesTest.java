package dev.shardwright.router.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.router.buffer.ByteBudget;
import dev.shardwright.router.buffer.ClientMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clients' packets and the memory that they take: when there is none, and when their senders stop in the middle. */
class ClientFramesTest {
    private static final int LIMIT = 20 << 20;
    private static final int BUDGET = 1 << 20;

    private final ByteBudget budget = new ByteBudget(BUDGET);

    private final class Client {
        final ClientFrames frames = new ClientFrames(LIMIT);
        final List<Integer> commands = new ArrayList<>();
        final List<Object> events = new ArrayList<>();
        final EmbeddedChannel channel = new EmbeddedChannel(frames, new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                var command = (ByteBuf) message;
                commands.add(command.readableBytes());
                command.release();
            }

            @Override
            public void userEventTriggered(ChannelHandlerContext context, Object event) {
                events.add(event);
            }
        });

        Client() {
            channel.freezeTime();
            frames.takeFrom(new ClientMemory(budget));
        }

        void send(ByteBuf bytes) {
            channel.writeInbound(bytes);
        }

        void pass(long millis) {
            channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
            channel.runPendingTasks();
        }

        boolean isRead() {
            return channel.config().isAutoRead();
        }

        void answer() {
            frames.resume(channel.pipeline().context(frames));
        }

        void leave() {
            channel.close();
            frames.releaseMemory();
        }
    }

    private static ByteBuf packet(int length) {
        var out = Unpooled.buffer();
        PacketBuilder.begin(out, 0).bytes(new byte[length]).end();
        return out;
    }

    @Test
    void smallPacketsTakeNothing() {
        var client = new Client();
        client.send(packet(ClientMemory.FREE - PacketBuilder.HEADER));
        assertThat(client.commands).hasSize(1);
        assertThat(budget.used()).isZero();
        client.leave();
    }

    @Test
    void aLargePacketHasItsMemoryUntilItIsAnswered() {
        var client = new Client();
        client.send(packet(500_000).readBytes(10));
        assertThat(budget.used())
                .as("of the whole packet, once its header is there")
                .isGreaterThan(400_000);
        client.leave();
        assertThat(budget.used()).isZero();

        var other = new Client();
        other.send(packet(500_000));
        assertThat(other.commands).containsExactly(500_004);
        assertThat(budget.used()).isEqualTo(500_004 - ClientMemory.FREE);
        other.answer();
        assertThat(budget.used()).isZero();
    }

    @Test
    void aPacketWaitsUntilAnotherHasBeenAnswered() {
        var first = new Client();
        var second = new Client();
        first.send(packet(700_000));
        var wanted = packet(700_000);
        second.send(wanted.readRetainedSlice(1_000));
        assertThat(second.isRead()).as("nothing more is read").isFalse();
        second.pass(5_000);
        assertThat(second.isRead()).isFalse();
        first.answer();
        second.pass(10);
        assertThat(second.isRead()).isTrue();
        second.send(wanted);
        assertThat(second.commands).containsExactly(700_004);
        second.answer();
        assertThat(budget.used()).isZero();
    }

    @Test
    void onlyAWholePacketIsRefusedSoThatItsClientListens() {
        var first = new Client();
        var second = new Client();
        first.send(packet(700_000));
        var wanted = packet(700_000);
        second.send(wanted.readRetainedSlice(1_000));
        for (int i = 0; i < 12_000 / FrameReserve.RETRY_MILLIS; i++) {
            second.pass(FrameReserve.RETRY_MILLIS);
        }
        assertThat(second.isRead()).as("is read again, to be thrown away").isTrue();
        assertThat(second.events).isEmpty();
        second.send(wanted);
        assertThat(second.commands).isEmpty();
        assertThat(second.events).singleElement().isInstanceOfSatisfying(ClientFrames.Refused.class, refused -> {
            assertThat(refused.error().errno()).isEqualTo(1041);
            assertThat(refused.sequence()).isEqualTo(1);
        });
        second.answer();
        second.send(packet(100));
        assertThat(second.commands).as("the client goes on").containsExactly(104);
    }

    @Test
    void whatCanNeverBeHeldIsRefusedAtOnce() {
        var client = new Client();
        var packet = packet(BUDGET + ClientMemory.FREE);
        int most = 1 << 16;
        while (packet.isReadable()) {
            client.send(packet.readRetainedSlice(Math.min(most, packet.readableBytes())));
            assertThat(client.isRead()).isTrue();
            assertThat(budget.used()).isZero();
        }
        assertThat(client.events).singleElement().isInstanceOf(ClientFrames.Refused.class);
    }

    @Test
    void onePacketOfSeveralPartsIsSkippedToItsEnd() {
        var client = new Client();
        var packet = Unpooled.buffer();
        PacketBuilder.begin(packet, 0)
                .bytes(new byte[PacketBuilder.FULL + (8 << 20)])
                .end();
        client.send(packet);
        assertThat(client.events)
                .singleElement()
                .isInstanceOfSatisfying(
                        ClientFrames.Refused.class,
                        refused -> assertThat(refused.sequence()).isEqualTo(2));
        client.answer();
        client.send(packet(100));
        assertThat(client.commands).containsExactly(104);
    }

    @Test
    void whoStopsInTheMiddleOfALargePacketIsNotWaitedForLong() {
        var client = new Client();
        client.send(packet(700_000).readBytes(1_000));
        client.pass(29_000);
        client.send(Unpooled.wrappedBuffer(new byte[] {1}));
        client.pass(29_000);
        assertThat(client.events).as("something has come in the last 30 s").isEmpty();
        client.pass(40_000);
        assertThat(client.events)
                .singleElement()
                .isInstanceOfSatisfying(
                        ClientFrames.Broken.class,
                        broken -> assertThat(broken.error().errno()).isEqualTo(1159));
    }

    @Test
    void aClientMayThinkAsLongAsItLikesWhileItsCommandRuns() {
        var client = new Client();
        client.send(packet(700_000));
        client.pass(600_000);
        assertThat(client.events).isEmpty();
        client.answer();
        client.pass(600_000);
        assertThat(client.events).isEmpty();
    }
}
