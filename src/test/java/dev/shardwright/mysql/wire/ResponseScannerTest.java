package dev.shardwright.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseScannerTest {

    @Test
    void endsAtAnOkPacket() {
        var scanner = begun(Kind.RESULT, true);
        var in = Unpooled.buffer();
        OkPacket.of(ServerStatus.AUTOCOMMIT).write(in, 1);
        assertThat(scanner.scan(in)).isEqualTo(in.readableBytes());
        assertThat(scanner.done()).isTrue();
        assertThat(scanner.status()).isEqualTo(ServerStatus.AUTOCOMMIT);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void findsTheEndWhereverTheBytesAreCut(boolean deprecateEof) {
        var whole = resultSet(deprecateEof, ServerStatus.IN_TRANSACTION);
        for (int cut = 1; cut < whole.readableBytes(); cut++) {
            var scanner = begun(Kind.RESULT, deprecateEof);
            int first = scanner.scan(whole.slice(0, cut));
            assertThat(scanner.done()).as("cut at %s", cut).isFalse();
            int second = scanner.scan(whole.slice(first, whole.readableBytes() - first));
            assertThat(first + second).isEqualTo(whole.readableBytes());
            assertThat(scanner.done()).isTrue();
            assertThat(scanner.status()).isEqualTo(ServerStatus.IN_TRANSACTION);
            assertThat(scanner.sequence()).isEqualTo(deprecateEof ? 6 : 7);
        }
    }

    @Test
    void leavesWhatComesAfterTheEnd() {
        var in = resultSet(true, 0);
        int length = in.readableBytes();
        in.writeBytes(new byte[] {1, 2, 3, 4, 5});
        var scanner = begun(Kind.RESULT, true);
        assertThat(scanner.scan(in)).isEqualTo(length);
        assertThat(scanner.done()).isTrue();
    }

    @Test
    void goesOnWhenMoreResultsFollow() {
        var in = Unpooled.buffer();
        OkPacket.of(ServerStatus.MORE_RESULTS).write(in, 1);
        var scanner = begun(Kind.RESULT, true);
        scanner.scan(in);
        assertThat(scanner.done()).isFalse();
        var rest = resultSet(2, true, 0);
        scanner.scan(rest);
        assertThat(scanner.done()).isTrue();
    }

    /** Of rows that are handed on whole, too. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesPacketsWithWrongNumbers(boolean whole) {
        for (int wrong = 0; wrong < 4; wrong++) {
            var in = resultSet(true, 0);
            int at = 0;
            for (int i = 0; i < wrong; i++) {
                at += PacketBuilder.HEADER + in.getUnsignedMediumLE(at);
            }
            in.setByte(at + 3, in.getUnsignedByte(at + 3) + 1);
            var scanner = begun(Kind.RESULT, true);
            if (whole) {
                scanner.listen(new Counter());
            }
            assertThat(scanner.scan(in)).isEqualTo(at);
            assertThat(scanner.sequence()).isEqualTo(wrong);
            assertThat(scanner.begun()).isEqualTo(wrong > 0);
            assertThatThrownBy(scanner::checkSound)
                    .isInstanceOf(MalformedPacketException.class)
                    .hasMessageContaining("must come");
        }
    }

    @Test
    void numbersGoOnBehindLongPackets() {
        var in = Unpooled.buffer();
        int sequence = PacketBuilder.begin(in, 5).lengthEncoded(1).end();
        sequence = PacketBuilder.begin(in, sequence).text("column").end();
        sequence = PacketBuilder.begin(in, sequence).zeros(PacketBuilder.FULL).end();
        OkPacket.writeEnd(in, sequence, 0, 0, true);
        for (boolean whole : new boolean[] {true, false}) {
            var scanner = new ResponseScanner(Capability.DEPRECATE_EOF);
            scanner.begin(Kind.RESULT, LogicalPacket.count(5 * (PacketBuilder.FULL + PacketBuilder.HEADER)));
            if (whole) {
                scanner.listen(new Counter());
            }
            assertThat(scanner.scan(in)).isEqualTo(in.readableBytes());
            assertThat(scanner.done()).isTrue();
        }
    }

    /** A server that ends a session without being asked begins to count anew. */
    @Test
    void anErrorThatWasNotAskedForHasNoNumber() {
        var in = Unpooled.buffer();
        new ErrPacket(4031, "HY000", "disconnected because of inactivity").write(in, 0);
        var scanner = begun(Kind.RESULT, true);
        scanner.scan(in);
        assertThat(scanner.error()).isNotNull();
    }

    private static final class Counter implements ResponseScanner.PacketListener {
        private int rows;

        @Override
        public void onColumn(ByteBuf payload) {}

        @Override
        public void onRow(ByteBuf payload) {
            rows++;
        }
    }

    @Test
    void seesAnErrorInTheMiddleOfRows() {
        var in = Unpooled.buffer();
        PacketBuilder.begin(in, 1).lengthEncoded(1).end();
        PacketBuilder.begin(in, 2).text("column").end();
        PacketBuilder.begin(in, 3).lengthEncodedText("row").end();
        new ErrPacket(1317, "70100", "Query execution was interrupted").write(in, 4);
        var scanner = begun(Kind.RESULT, true);
        assertThat(scanner.scan(in)).isEqualTo(in.readableBytes());
        assertThat(scanner.done()).isTrue();
        assertThat(scanner.begun()).isTrue();
        assertThat(scanner.error()).isEqualTo(new ErrPacket(1317, "70100", "Query execution was interrupted"));
    }

    @Test
    void tellsAnErrorAloneFromOneAfterRows() {
        var in = Unpooled.buffer();
        new ErrPacket(3032, "HY000", "offline").write(in, 1);
        var scanner = begun(Kind.RESULT, true);
        scanner.scan(in);
        assertThat(scanner.begun()).isFalse();
        assertThat(scanner.error()).isNotNull();
    }

    @Test
    void addsStatusBitsInPlace() {
        var in = resultSet(true, ServerStatus.AUTOCOMMIT);
        var scanner = begun(Kind.RESULT, true);
        scanner.addStatus(ServerStatus.IN_TRANSACTION);
        scanner.scan(in);
        var again = begun(Kind.RESULT, true);
        again.scan(in);
        assertThat(again.status()).isEqualTo(ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANSACTION);
        assertThat(scanner.status()).isEqualTo(ServerStatus.AUTOCOMMIT);
    }

    @Test
    void numbersPacketsOnFromAnotherAnswer() {
        var in = resultSet(true, ServerStatus.AUTOCOMMIT);
        var scanner = begun(Kind.RESULT, true);
        scanner.shiftSequence(252);
        scanner.addStatus(ServerStatus.MORE_RESULTS);
        int half = in.readableBytes() / 2;
        int first = scanner.scan(in.slice(0, half));
        scanner.scan(in.slice(first, in.readableBytes() - first));
        assertThat(scanner.done()).as("the server itself has no more results").isTrue();
        assertThat(scanner.sequence()).isEqualTo(2);
        assertThat(in.getUnsignedByte(3)).isEqualTo((short) 253);
        assertThat(LogicalPacket.end(in, 0, in.readableBytes(), 100)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void renamesAPreparedStatement(boolean deprecateEof) {
        var in = Unpooled.buffer();
        PacketBuilder.begin(in, 1)
                .int1(0)
                .int4(77)
                .int2(1)
                .int2(2)
                .int1(0)
                .int2(0)
                .end();
        PacketBuilder.begin(in, 2).text("parameter 1").end();
        PacketBuilder.begin(in, 3).text("parameter 2").end();
        if (!deprecateEof) {
            OkPacket.writeEof(in, 4, 0, 0);
        }
        int column = deprecateEof ? 4 : 5;
        PacketBuilder.begin(in, column).text("column").end();
        if (!deprecateEof) {
            OkPacket.writeEof(in, column + 1, 0, 0);
        }
        var scanner = begun(Kind.PREPARE, deprecateEof);
        scanner.renameStatement(5);
        assertThat(scanner.scan(in)).isEqualTo(in.readableBytes());
        assertThat(scanner.done()).isTrue();
        assertThat(scanner.statementId()).isEqualTo(77);
        assertThat(scanner.parameters()).isEqualTo(2);
        assertThat(in.getIntLE(5)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCursorsRowsCameWithTheirFetches(boolean deprecateEof) {
        var opened = Unpooled.buffer();
        int sequence = PacketBuilder.begin(opened, 1).lengthEncoded(1).end();
        sequence = PacketBuilder.begin(opened, sequence).text("column").end();
        OkPacket.writeEnd(opened, sequence, ServerStatus.CURSOR_EXISTS, 0, deprecateEof);
        var scanner = begun(Kind.RESULT, deprecateEof);
        assertThat(scanner.scan(opened)).isEqualTo(opened.readableBytes());
        assertThat(scanner.done()).isTrue();
        assertThat(scanner.status()).isEqualTo(ServerStatus.CURSOR_EXISTS);

        var fetched = Unpooled.buffer();
        sequence = PacketBuilder.begin(fetched, 1).int1(0).int1(0).int8(7).end();
        OkPacket.writeEnd(fetched, sequence, ServerStatus.LAST_ROW_SENT, 0, deprecateEof);
        scanner.begin(Kind.FETCH);
        assertThat(scanner.scan(fetched)).isEqualTo(fetched.readableBytes());
        assertThat(scanner.done()).isTrue();
        assertThat(scanner.status()).isEqualTo(ServerStatus.LAST_ROW_SENT);
    }

    /** As seen with MySQL 9.7: with EOF packets the last status of the row does not announce the OK packet. */
    @Test
    void anOkPacketFollowsOnOutParameters() {
        var in = Unpooled.buffer();
        int sequence = PacketBuilder.begin(in, 1).lengthEncoded(1).end();
        sequence = PacketBuilder.begin(in, sequence).text("o").end();
        sequence = OkPacket.writeEof(in, sequence, ServerStatus.PS_OUT_PARAMS | ServerStatus.MORE_RESULTS, 0);
        sequence = PacketBuilder.begin(in, sequence).int1(0).int1(0).int4(7).end();
        sequence = OkPacket.writeEof(in, sequence, ServerStatus.AUTOCOMMIT, 0);
        int rows = in.readableBytes();
        OkPacket.of(ServerStatus.AUTOCOMMIT).write(in, sequence);
        var scanner = begun(Kind.RESULT, false);
        assertThat(scanner.scan(in.slice(0, rows))).isEqualTo(rows);
        assertThat(scanner.done()).isFalse();
        assertThat(scanner.scan(in.slice(rows, in.readableBytes() - rows))).isEqualTo(in.readableBytes() - rows);
        assertThat(scanner.done()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takesResultsWithAndWithoutMetadata(boolean deprecateEof) {
        int capabilities = Capability.OPTIONAL_RESULTSET_METADATA | (deprecateEof ? Capability.DEPRECATE_EOF : 0);
        var scanner = new ResponseScanner(capabilities);
        for (int described = 0; described < 2; described++) {
            var in = Unpooled.buffer();
            int sequence =
                    PacketBuilder.begin(in, 1).lengthEncoded(1).int1(described).end();
            if (described == 1) {
                sequence = PacketBuilder.begin(in, sequence).text("column").end();
            }
            if (!deprecateEof) {
                sequence = OkPacket.writeEof(in, sequence, 0, 0);
            }
            sequence =
                    PacketBuilder.begin(in, sequence).lengthEncodedText("row").end();
            OkPacket.writeEnd(in, sequence, 0, 0, deprecateEof);
            scanner.begin(Kind.RESULT);
            var counter = new Counter();
            scanner.listen(counter);
            assertThat(scanner.scan(in)).isEqualTo(in.readableBytes());
            assertThat(scanner.done()).isTrue();
            assertThat(scanner.metadata()).isEqualTo(described == 1);
            assertThat(counter.rows).isEqualTo(1);
        }
    }

    @Test
    void handsRowsToAListener() {
        var in = resultSet(true, 0);
        var scanner = begun(Kind.RESULT, true);
        var rows = new ArrayList<Integer>();
        var columns = new ArrayList<Integer>();
        scanner.listen(new ResponseScanner.PacketListener() {
            @Override
            public void onColumn(ByteBuf payload) {
                columns.add(payload.readableBytes());
            }

            @Override
            public void onRow(ByteBuf payload) {
                rows.add(payload.readableBytes());
            }
        });
        scanner.scan(in);
        assertThat(columns).hasSize(2);
        assertThat(rows).isEqualTo(List.of(4, 40_003));
    }

    @Test
    void refusesAnEmptyPacket() {
        var in = Unpooled.wrappedBuffer(new byte[] {0, 0, 0, 1});
        var scanner = begun(Kind.RESULT, true);
        assertThat(scanner.scan(in)).isZero();
        assertThatThrownBy(scanner::checkSound).isInstanceOf(MalformedPacketException.class);
    }

    private static ResponseScanner begun(Kind kind, boolean deprecateEof) {
        var scanner = new ResponseScanner(deprecateEof ? Capability.DEPRECATE_EOF : 0);
        scanner.begin(kind);
        return scanner;
    }

    /** Two columns, two rows, one of them with a first byte that looks like an EOF packet's. */
    private static ByteBuf resultSet(boolean deprecateEof, int status) {
        return resultSet(1, deprecateEof, status);
    }

    private static ByteBuf resultSet(int first, boolean deprecateEof, int status) {
        var out = Unpooled.buffer();
        int sequence = PacketBuilder.begin(out, first).lengthEncoded(2).end();
        sequence = PacketBuilder.begin(out, sequence).text("first").end();
        sequence = PacketBuilder.begin(out, sequence).text("second").end();
        if (!deprecateEof) {
            sequence = OkPacket.writeEof(out, sequence, status, 0);
        }
        sequence = PacketBuilder.begin(out, sequence).lengthEncodedText("row").end();
        sequence = PacketBuilder.begin(out, sequence)
                .lengthEncodedText("x".repeat(40_000))
                .end();
        OkPacket.writeEnd(out, sequence, status, 0, deprecateEof);
        return out;
    }
}
