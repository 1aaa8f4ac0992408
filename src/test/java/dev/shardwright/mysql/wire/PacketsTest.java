package dev.shardwright.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketsTest {
    private static final byte[] NONCE = "abcdefghijklmnopqrst".getBytes(StandardCharsets.US_ASCII);

    @ParameterizedTest
    @ValueSource(longs = {0, 250, 251, 65_535, 65_536, 16_777_215, 16_777_216, Long.MAX_VALUE, -1})
    void lengthEncodedIntegersComeBack(long value) {
        var out = Unpooled.buffer();
        PacketBuilder.begin(out, 0).lengthEncoded(value).end();
        out.skipBytes(PacketBuilder.HEADER);
        assertThat(new PayloadReader(out).lengthEncoded()).isEqualTo(value);
    }

    @Test
    void aFullPayloadIsContinuedByAnEmptyOne() {
        var out = Unpooled.buffer();
        int next =
                PacketBuilder.begin(out, 3).bytes(new byte[PacketBuilder.FULL]).end();
        assertThat(next).isEqualTo(5);
        assertThat(out.readableBytes()).isEqualTo(PacketBuilder.FULL + 2 * PacketBuilder.HEADER);
        assertThat(out.getUnsignedMediumLE(PacketBuilder.FULL + PacketBuilder.HEADER))
                .isZero();
    }

    @Test
    void theGreetingComesBack() {
        var out = Unpooled.buffer();
        new ServerGreeting("8.4.0-x", 42, NONCE, Capability.SHARED | Capability.PLUGIN_AUTH, 255, 2, CachingSha2.PLUGIN)
                .write(out);
        out.skipBytes(PacketBuilder.HEADER);
        var read = ServerGreeting.read(out);
        assertThat(read.version()).isEqualTo("8.4.0-x");
        assertThat(read.connectionId()).isEqualTo(42);
        assertThat(read.nonce()).isEqualTo(NONCE);
        assertThat(read.plugin()).isEqualTo(CachingSha2.PLUGIN);
    }

    @Test
    void theLoginComesBack() {
        var out = Unpooled.buffer();
        int capabilities = Capability.PROTOCOL_41
                | Capability.PLUGIN_AUTH
                | Capability.PLUGIN_AUTH_LENENC_DATA
                | Capability.CONNECT_WITH_DB;
        var proof = CachingSha2.scramble("secret", NONCE);
        new ClientLogin(capabilities, 1 << 24, 255, "app", proof, "chat", CachingSha2.PLUGIN).write(out, 1);
        out.skipBytes(PacketBuilder.HEADER);
        var read = ClientLogin.read(out);
        assertThat(read.user()).isEqualTo("app");
        assertThat(read.database()).isEqualTo("chat");
        assertThat(CachingSha2.proves(read.proof(), "secret", NONCE)).isTrue();
        assertThat(CachingSha2.proves(read.proof(), "wrong", NONCE)).isFalse();
    }

    @Test
    void aTruncatedLoginIsMalformed() {
        var out = Unpooled.buffer();
        new ClientLogin(
                        Capability.PROTOCOL_41 | Capability.PLUGIN_AUTH | Capability.PLUGIN_AUTH_LENENC_DATA,
                        0,
                        255,
                        "app",
                        new byte[32],
                        null,
                        CachingSha2.PLUGIN)
                .write(out, 1);
        for (int length = 0; length < out.readableBytes() - PacketBuilder.HEADER - 1; length++) {
            var cut = out.slice(PacketBuilder.HEADER, length);
            assertThatThrownBy(() -> ClientLogin.read(cut)).isInstanceOf(MalformedPacketException.class);
        }
    }

    @Test
    void theEmptyPasswordHasAnEmptyProof() {
        assertThat(CachingSha2.scramble("", NONCE)).isEmpty();
        assertThat(CachingSha2.proves(new byte[0], "", NONCE)).isTrue();
        assertThat(CachingSha2.proves(new byte[0], "secret", NONCE)).isFalse();
    }

    @Test
    void errorsComeBack() {
        var error = new ErrPacket(1213, "40001", "Deadlock found");
        var out = Unpooled.buffer();
        assertThat(error.write(out, 255)).isZero();
        out.skipBytes(PacketBuilder.HEADER);
        assertThat(ErrPacket.read(out)).isEqualTo(error);
    }

    @Test
    void anExecutionGetsItsTypesWhereTheyAreMissing() {
        var payload = Unpooled.buffer();
        payload.writeByte(CommandByte.STMT_EXECUTE).writeIntLE(9).writeByte(1).writeIntLE(1);
        payload.writeByte(0b10).writeByte(0).writeLongLE(123);
        var packet = new ExecutePacket(payload, 2);
        var types = new byte[] {ParameterType.LONGLONG, 0, (byte) ParameterType.VAR_STRING, 0};
        assertThat(packet.bringsTypes()).isFalse();
        assertThat(packet.isNull(0)).isFalse();
        assertThat(packet.isNull(1)).isTrue();

        var out = Unpooled.buffer();
        packet.write(out, 4, types, false);
        out.skipBytes(PacketBuilder.HEADER);
        var written = new ExecutePacket(out, 2);
        assertThat(ExecutePacket.statementId(out)).isEqualTo(4);
        assertThat(out.getByte(out.readerIndex() + 5)).as("no cursor").isZero();
        assertThat(written.bringsTypes()).isTrue();
        assertThat(written.types()).isEqualTo(types);
        var value = written.value(0, types, index -> false);
        assertThat(value).isNotNull();
        assertThat(value.int8()).isEqualTo(123);
    }

    @Test
    void anExecutionThatEndsTooEarlyIsMalformed() {
        var payload = Unpooled.wrappedBuffer(new byte[] {CommandByte.STMT_EXECUTE, 1, 0, 0, 0, 0, 1, 0, 0, 0});
        assertThatThrownBy(() -> new ExecutePacket(payload, 1)).isInstanceOf(MalformedPacketException.class);
    }
}
