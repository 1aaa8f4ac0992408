package dev.shardwright.router.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.mysql.wire.MalformedPacketException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CompressionTest {
    private static final int LIMIT = 40 << 20;

    private final CompressedSequence sequence = new CompressedSequence();
    private final ClientFrames frames = new ClientFrames(LIMIT);
    private final List<byte[]> commands = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();

    static List<Packing> packings() {
        assertThat(ZstdPacking.isAvailable()).isTrue();
        return List.of(ZlibPacking.INSTANCE, new ZstdPacking(3), new ZstdPacking(22), new ZstdPacking(-5));
    }

    private EmbeddedChannel channel(Packing packing) {
        frames.unnumbered();
        return new EmbeddedChannel(
                new CompressedInput(packing, sequence, frames),
                new CompressedOutput(packing, sequence),
                frames,
                new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        var command = (ByteBuf) message;
                        commands.add(ByteBufUtil.getBytes(command));
                        command.release();
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                        failures.add(cause.getCause() == null ? cause : cause.getCause());
                    }
                });
    }

    private void goOn(EmbeddedChannel channel) {
        frames.resume(channel.pipeline().context(frames));
    }

    @ParameterizedTest
    @MethodSource("packings")
    void whatIsSentCanBeReadAgain(Packing packing) {
        var channel = channel(packing);
        var random = new Random(3);
        for (int length :
                new int[] {1, 49, 50, 51, 1_000, CompressedOutput.CHUNK, CompressedOutput.CHUNK + 1, 3 << 20}) {
            for (boolean dense : new boolean[] {false, true}) {
                var bytes = new byte[length];
                if (dense) {
                    random.nextBytes(bytes);
                }
                channel.write(Unpooled.wrappedBuffer(bytes, 0, length / 2));
                channel.write(Unpooled.wrappedBuffer(bytes, length / 2, length - length / 2));
                channel.flush();
                assertThat(unpacked(channel, packing, dense)).isEqualTo(bytes);
            }
        }
        channel.finishAndReleaseAll();
    }

    /** What has gone out, put together again. */
    private static byte[] unpacked(EmbeddedChannel channel, Packing packing, boolean dense) {
        var all = ByteBufAllocator.DEFAULT.directBuffer();
        for (ByteBuf packet = channel.readOutbound(); packet != null; packet = channel.readOutbound()) {
            if (!packet.isReadable()) {
                // Carries a promise only.
                continue;
            }
            int length = packet.readUnsignedMediumLE();
            packet.readByte();
            int before = packet.readUnsignedMediumLE();
            assertThat(packet.readableBytes()).isEqualTo(length).isLessThanOrEqualTo(CompressedOutput.CHUNK);
            if (before == 0) {
                assertThat(dense || length < CompressedOutput.LEAST).isTrue();
                all.writeBytes(packet);
            } else {
                assertThat(length).isLessThan(before);
                all.ensureWritable(before);
                packing.unpack(packet, all, before);
            }
            packet.release();
        }
        var bytes = ByteBufUtil.getBytes(all);
        all.release();
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("packings")
    void aCommandInManyPiecesArrives(Packing packing) {
        var channel = channel(packing);
        var command = new byte[4 + 3_000_000];
        command[0] = (byte) 3_000_000;
        command[1] = (byte) (3_000_000 >> 8);
        command[2] = (byte) (3_000_000 >> 16);
        command[100] = 9;
        var wire = Unpooled.buffer();
        int number = 0;
        for (int at = 0; at < command.length; at += 1_000_000) {
            int length = Math.min(1_000_000, command.length - at);
            wire.writeBytes(packet(packing, number++, Unpooled.wrappedBuffer(command, at, length)));
        }
        while (wire.isReadable()) {
            channel.writeInbound(wire.readBytes(Math.min(700, wire.readableBytes())));
        }
        assertThat(commands).containsExactly(command);

        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[10]));
        ByteBuf answer = channel.readOutbound();
        assertThat(answer.getByte(3)).as("counts on from the client's last").isEqualTo((byte) number);
        answer.release();
        channel.finishAndReleaseAll();
    }

    @Test
    void nothingIsUnpackedWhileACommandRuns() {
        var packing = new ZstdPacking(3);
        var channel = channel(packing);
        var ping = new byte[] {1, 0, 0, 0, 14};
        var bomb = packet(packing, 0, Unpooled.wrappedBuffer(new byte[0xffffff]));
        channel.writeInbound(packet(packing, 0, Unpooled.wrappedBuffer(ping)));
        for (int i = 0; i < 300; i++) {
            channel.writeInbound(packet(packing, 0, Unpooled.wrappedBuffer(ping)));
        }
        assertThat(commands).hasSize(1);
        for (int i = 1; i <= 300; i++) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[7]));
            ByteBuf answer = channel.readOutbound();
            assertThat(answer.getByte(3)).as("each command counts from 0").isEqualTo((byte) 1);
            answer.release();
            goOn(channel);
            assertThat(commands).hasSize(i + 1);
        }
        assertThat(channel.config().isAutoRead()).isTrue();
        while (channel.config().isAutoRead()) {
            channel.writeInbound(bomb.copy());
        }
        assertThat(commands).hasSize(301);
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @MethodSource("packings")
    void whatIsNotWholeIsMalformed(Packing packing) {
        var good = packet(packing, 0, Unpooled.wrappedBuffer(new byte[1_000]));
        int length = good.readableBytes() - CompressedSequence.HEADER;
        refused(packing, good.copy().setMediumLE(4, 1_001));
        refused(packing, good.copy().setMediumLE(4, 999));
        refused(packing, good.copy().setMediumLE(4, 0xffffff));
        refused(packing, good.copy().setMediumLE(0, length - 1));
        refused(packing, good.copy().setByte(3, 7));
        refused(packing, good.copy().setByte(CompressedSequence.HEADER, 0x55));
        refused(packing, good.copy().setMediumLE(0, length + 1).writeByte(0));
        refused(packing, Unpooled.wrappedBuffer(new byte[] {0, 0, 0, 0, 0, 0, 0}));
        refused(packing, Unpooled.wrappedBuffer(new byte[] {1, 0, 0, 0, 9, 0, 0, 5}));
    }

    private static void refused(Packing packing, ByteBuf wire) {
        var test = new CompressionTest();
        var channel = test.channel(packing);
        channel.writeInbound(wire);
        assertThat(test.failures).hasSize(1).first().isInstanceOf(MalformedPacketException.class);
        channel.writeInbound(packet(packing, 0, Unpooled.wrappedBuffer(new byte[] {1, 0, 0, 0, 14})));
        assertThat(test.commands).as("nothing more is taken").isEmpty();
        channel.finishAndReleaseAll();
    }

    @Test
    void aLengthThatZlibCannotReachIsNotBelieved() {
        var wire = Unpooled.directBuffer().writeBytes(deflated(new byte[100]));
        var out = Unpooled.directBuffer(0xffffff);
        assertThatThrownBy(() -> ZlibPacking.INSTANCE.unpack(wire, out, 0xffffff))
                .isInstanceOf(MalformedPacketException.class);
        assertThat(out.readableBytes()).isZero();
    }

    @Test
    void promisesAreKeptOnceTheirBytesAreWritten() {
        var channel = channel(ZlibPacking.INSTANCE);
        var first = channel.write(Unpooled.wrappedBuffer(new byte[10]));
        channel.write(Unpooled.wrappedBuffer(new byte[10]), channel.voidPromise());
        assertThat(first.isDone()).isFalse();
        channel.flush();
        assertThat(first.isSuccess()).isTrue();
        var lost = channel.write(Unpooled.wrappedBuffer(new byte[10]));
        channel.close();
        assertThat(lost.isSuccess()).isFalse();
        assertThat(lost.isDone()).isTrue();
        channel.finishAndReleaseAll();
    }

    private static ByteBuf packet(Packing packing, int number, ByteBuf payload) {
        var sender = new CompressedSequence();
        for (int i = 0; i < number; i++) {
            sender.send();
        }
        var all = Unpooled.buffer();
        while (payload.isReadable()) {
            // One packet for up to 16 MiB, as clients send them.
            var piece = payload.readSlice(Math.min(payload.readableBytes(), 0xffffff));
            all.writeBytes(whole(packing, sender, piece));
        }
        return all;
    }

    private static ByteBuf whole(Packing packing, CompressedSequence sender, ByteBuf piece) {
        var direct = Unpooled.directBuffer().writeBytes(piece);
        var packed = Unpooled.directBuffer(direct.readableBytes());
        boolean smaller = direct.readableBytes() >= CompressedOutput.LEAST && packing.pack(direct, packed);
        var payload = smaller ? packed : direct;
        return Unpooled.buffer()
                .writeMediumLE(payload.readableBytes())
                .writeByte(sender.send())
                .writeMediumLE(smaller ? direct.readableBytes() : 0)
                .writeBytes(payload.slice());
    }

    private static byte[] deflated(byte[] bytes) {
        var deflater = new Deflater();
        deflater.setInput(bytes);
        deflater.finish();
        var out = new byte[1_000];
        int length = deflater.deflate(out);
        deflater.end();
        return java.util.Arrays.copyOf(out, length);
    }
}
