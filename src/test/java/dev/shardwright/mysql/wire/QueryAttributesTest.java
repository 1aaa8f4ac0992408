package dev.shardwright.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueryAttributesTest {
    private static final int TEXT = ParameterType.STRING;

    @Test
    void theTextBeginsBehindTheValues() {
        assertThat(text(query(0, 1))).isEqualTo("SELECT 1");
        assertThat(text(query(1, 1, 0, 1, TEXT, 0, 1, 'a', 3, 'x', 'y', 'z'))).isEqualTo("SELECT 1");
        assertThat(text(query(1, 1, 1, 1, TEXT, 0, 1, 'a')))
                .as("NULL has no value")
                .isEqualTo("SELECT 1");
        assertThat(text(query(2, 1, 0, 1, ParameterType.LONG, 0x80, 0, TEXT, 0, 0, 1, 2, 3, 4, 1, 'q')))
                .isEqualTo("SELECT 1");
        assertThat(text(query(1, 1, 0, 1, ParameterType.DATE, 0, 1, 'd', 4, 0xe8, 7, 1, 1)))
                .isEqualTo("SELECT 1");
    }

    @Test
    void whatAServerMightReadOtherwiseIsMalformed() {
        refused(query(1, 1, 0, 0, TEXT, 0, 0, 0), "without their types");
        refused(query(0, 0), "other than one set");
        refused(query(0, 2), "other than one set");
        refused(query(1, 1, 0, 1, ParameterType.YEAR, 0, 0, 1, 0), "type 13");
        refused(query(1, 1, 0, 1, ParameterType.NULL, 0, 0), "type 6");
        refused(query(1, 1, 0, 1, 244, 0, 0, 1), "type 244");
    }

    @Test
    void whatEndsTooEarlyOrClaimsTooMuchIsMalformed() {
        for (var header : new int[][] {
            {},
            {0},
            {1, 1},
            {1, 1, 0},
            {1, 1, 0, 1, TEXT},
            {1, 1, 0, 1, TEXT, 0, 200, 'a'},
            {1, 1, 0, 1, TEXT, 0, 0, 200, 'a'},
            {0xfc, 0xff, 0xff, 1, 0},
            {0xfd, 0xff, 0xff, 0xff, 1},
            {0xfe, 255, 255, 255, 255, 255, 255, 255, 255, 1},
            {0xfb, 1},
            {40, 1, 0, 0, 0, 0, 0, 1, TEXT, 0, 0}
        }) {
            var payload = Unpooled.buffer().writeByte(CommandByte.QUERY);
            write(payload, header);
            assertThatThrownBy(() -> QueryAttributes.textOffset(payload)).isInstanceOf(MalformedPacketException.class);
        }
    }

    @Test
    void anExecutionKeepsItsAttributesOnAnotherServer() {
        var types = new byte[] {ParameterType.LONGLONG, 0};
        var packet = new ExecutePacket(
                execute(8, 2, 0, 1, 8, 0, 0, TEXT, 0, 1, 'a', 7, 0, 0, 0, 0, 0, 0, 0, 2, 'a', 't'), 1, true);
        assertThat(packet.types()).isEqualTo(types);

        var same = Unpooled.buffer();
        packet.write(same, 4, types, false);
        same.skipBytes(PacketBuilder.HEADER);
        var copy = execute(8, 2, 0, 1, 8, 0, 0, TEXT, 0, 1, 'a', 7, 0, 0, 0, 0, 0, 0, 0, 2, 'a', 't');
        assertThat(same.setIntLE(same.readerIndex() + 1, 9)).isEqualTo(copy);

        var changed = Unpooled.buffer();
        packet.writeWith(changed, 9, types, index -> false, Map.of(0, 5L));
        changed.skipBytes(PacketBuilder.HEADER);
        assertThat(changed)
                .isEqualTo(execute(8, 2, 0, 1, 8, 0, 0, TEXT, 0, 1, 'a', 5, 0, 0, 0, 0, 0, 0, 0, 2, 'a', 't'));
    }

    @Test
    void anExecutionGetsTypesWithEmptyNames() {
        var out = Unpooled.buffer();
        new ExecutePacket(execute(8, 1, 0, 0, 2, 'a', 't'), 1, true).write(out, 9, new byte[] {(byte) TEXT, 0}, false);
        out.skipBytes(PacketBuilder.HEADER);
        assertThat(out).isEqualTo(execute(8, 1, 0, 1, TEXT, 0, 0, 2, 'a', 't'));
    }

    @Test
    void executionsWithoutParametersMayHaveAttributesOrNone() {
        for (var body : new int[][] {{8, 0}, {0}, {8, 1, 0, 1, TEXT, 0, 1, 'a', 2, 'a', 't'}}) {
            var out = Unpooled.buffer();
            new ExecutePacket(execute(body), 0, true).write(out, 9, null, false);
            out.skipBytes(PacketBuilder.HEADER);
            assertThat(out).isEqualTo(execute(body));
        }
    }

    @Test
    void executionsThatDoNotAddUpAreMalformed() {
        for (var body : new int[][] {
            {8, 0}, {8}, {8, 2, 0, 0, 1, 'a', 1, 'b'}, {8, 200, 0, 1}, {8, 1, 0, 1, TEXT}, {8, 1, 0, 1, TEXT, 0, 9}
        }) {
            assertThatThrownBy(() -> new ExecutePacket(execute(body), 1, true))
                    .isInstanceOf(MalformedPacketException.class);
        }
    }

    /** @param body the flags, and what comes after the iteration count */
    private static ByteBuf execute(int... body) {
        var payload = Unpooled.buffer().writeByte(CommandByte.STMT_EXECUTE).writeIntLE(9);
        payload.writeByte(body[0]).writeIntLE(1);
        for (int i = 1; i < body.length; i++) {
            payload.writeByte(body[i]);
        }
        return payload;
    }

    private static ByteBuf query(int... header) {
        var payload = Unpooled.buffer().writeByte(CommandByte.QUERY);
        write(payload, header);
        return payload.writeBytes("SELECT 1".getBytes(StandardCharsets.UTF_8));
    }

    private static void write(ByteBuf payload, int... bytes) {
        for (int value : bytes) {
            payload.writeByte(value);
        }
    }

    private static String text(ByteBuf payload) {
        int offset = QueryAttributes.textOffset(payload);
        return payload.toString(offset, payload.readableBytes() - offset, StandardCharsets.UTF_8);
    }

    private static void refused(ByteBuf payload, String why) {
        assertThatThrownBy(() -> QueryAttributes.textOffset(payload))
                .isInstanceOf(MalformedPacketException.class)
                .hasMessageContaining(why);
    }
}
