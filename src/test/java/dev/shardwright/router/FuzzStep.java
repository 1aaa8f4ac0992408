package dev.shardwright.router;

import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.CommandByte;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ResponseScanner.Kind;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends at once, and what it is answered with.
 *
 * @param bytes whole packets
 * @param kind of the answer; null when there is none, or for what only goes on with an answer that has begun
 */
record FuzzStep(byte[] bytes, @Nullable Kind kind, Role role) {
    enum Role {
        COMMAND,
        /** A file that was asked for: the answer goes on. */
        FILE,
        /** Is answered by a nonce. */
        CHALLENGED,
        /** Of the password, to be made from the nonce. */
        PROOF
    }

    /** In a text: stands for the client's own id, which has as many digits. */
    static final String OWN_ID = "1111111111";

    private static final int PROOF_LENGTH = 32;
    /** The end of a challenge. */
    private static final int NONCE = CachingSha2.NONCE_LENGTH + 1;

    /** Each scene needs a new session, and is answered in the same way each time. */
    static List<List<FuzzStep>> scenes(boolean attributes) {
        var make = new Maker(attributes);
        return List.of(
                List.of(
                        make.query("SELECT id, body FROM notes ORDER BY id"),
                        make.query("SELECT channel_id, id, body FROM messages ORDER BY channel_id, id LIMIT 5"),
                        make.query("SELECT COUNT(*), MAX(id) FROM messages"),
                        make.query("SELECT body FROM messages WHERE channel_id = 7 ORDER BY id"),
                        make.query("SELECT nothing FROM notes"),
                        command(CommandByte.FIELD_LIST, "notes\0%", Kind.FIELD_LIST),
                        command(CommandByte.INIT_DB, "chat", Kind.RESULT),
                        command(CommandByte.PING, "", Kind.RESULT)),
                List.of(
                        make.query("BEGIN"),
                        make.query("INSERT INTO scratch VALUES (1, 'one'), (2, 'two')"),
                        make.query("SELECT body FROM notes WHERE id = 1 FOR SHARE"),
                        make.query("INSERT INTO messages (channel_id, id, body) VALUES (7, 1, 'there is one')"),
                        make.query("ROLLBACK"),
                        make.query("SELECT ROW_COUNT()")),
                List.of(
                        command(
                                CommandByte.STMT_PREPARE,
                                "SELECT body FROM notes WHERE id = ? OR body = ?",
                                Kind.PREPARE),
                        make.execute(0, "two"),
                        make.execute(1, "two"),
                        statement(CommandByte.STMT_FETCH, Kind.FETCH, 1, 0, 0, 0),
                        statement(CommandByte.STMT_FETCH, Kind.FETCH, 10, 0, 0, 0),
                        statement(CommandByte.STMT_RESET, Kind.RESULT),
                        statement(CommandByte.STMT_SEND_LONG_DATA, null, 1, 0, 't'),
                        statement(CommandByte.STMT_SEND_LONG_DATA, null, 1, 0, 'w', 'o'),
                        make.execute(0, ""),
                        make.execute(1, "one"),
                        statement(CommandByte.STMT_CLOSE, null),
                        make.execute(0, "two")),
                List.of(
                        command(
                                CommandByte.STMT_PREPARE,
                                "SELECT id, body FROM messages WHERE channel_id = ? AND body > ? ORDER BY id",
                                Kind.PREPARE),
                        make.execute(0, "a"),
                        make.execute(0, "zz"),
                        make.query("SELECT channel_id, SUM(id) FROM messages GROUP BY channel_id")),
                List.of(
                        command(
                                CommandByte.STMT_PREPARE,
                                "SELECT channel_id, id FROM messages WHERE id < ? AND body > ?"
                                        + " ORDER BY body DESC, channel_id, id LIMIT 3",
                                Kind.PREPARE),
                        make.execute(0, "a"),
                        statement(CommandByte.STMT_SEND_LONG_DATA, null, 1, 0, 'm'),
                        make.execute(0, "")),
                List.of(
                        make.query("SELECT 1; BEGIN; INSERT INTO scratch VALUES (3, ';'); SELECT '; -- '; COMMIT;"
                                + " SELECT body FROM notes ORDER BY id DESC"),
                        make.query("SELECT 2; SELECT nothing FROM notes; SELECT 3"),
                        new FuzzStep(new byte[] {3, 0, 0, 0, CommandByte.SET_OPTION, 1, 0}, Kind.FETCH, Role.COMMAND),
                        make.query("SELECT 1; SELECT 2"),
                        new FuzzStep(new byte[] {3, 0, 0, 0, CommandByte.SET_OPTION, 0, 0}, Kind.FETCH, Role.COMMAND),
                        make.query("SELECT 1; SELECT 2")),
                List.of(
                        make.query("LOAD DATA LOCAL INFILE 'rows' INTO TABLE scratch FIELDS TERMINATED BY ','"),
                        file(2, "1,one\n2,tw", "o\n3,three\n"),
                        make.query("DO 0; LOAD DATA LOCAL INFILE 'rows' INTO TABLE scratch; SELECT 4"),
                        file(3, "4\tfour\n"),
                        make.query("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE nothing"),
                        make.query("SELECT 5")),
                List.of(
                        make.query("SET @a = 5, SESSION sql_mode = 'ANSI_QUOTES', time_zone = '+02:00'"),
                        make.query("SELECT @a, @@sql_mode, @@time_zone, \"body\" FROM notes"),
                        command(CommandByte.CHANGE_USER, "app\0\0chat\0\u0021\0caching_sha2_password\0", null)
                                .as(Role.CHALLENGED),
                        new FuzzStep(new byte[PacketBuilder.HEADER + PROOF_LENGTH], Kind.RESULT, Role.PROOF),
                        make.query("SELECT @a, @@sql_mode, @@time_zone"),
                        make.query("SET @a = 6"),
                        command(CommandByte.RESET_CONNECTION, "", Kind.RESULT),
                        make.query("SELECT @a")),
                List.of(
                        // An error for clients that have not agreed to it.
                        make.query("SET resultset_metadata = NONE"),
                        make.query("SELECT id, body FROM notes ORDER BY id"),
                        make.query("SELECT COUNT(*), MAX(id) FROM messages"),
                        command(
                                CommandByte.STMT_PREPARE,
                                "SELECT body FROM notes WHERE id = ? OR body = ?",
                                Kind.PREPARE),
                        make.execute(1, "two"),
                        statement(CommandByte.STMT_FETCH, Kind.FETCH, 10, 0, 0, 0),
                        make.query("SET resultset_metadata = FULL"),
                        make.execute(0, "two")),
                List.of(
                        make.query("SELECT LAST_INSERT_ID(77)"),
                        make.query("SELECT LAST_INSERT_ID(), FOUND_ROWS()"),
                        make.query("SELECT GET_LOCK(CONCAT('own', CONNECTION_ID()), 0)"),
                        make.query("KILL QUERY " + OWN_ID),
                        make.query("KILL 2147483647"),
                        make.query("SELECT LAST_INSERT_ID()"),
                        make.query("KILL " + OWN_ID)));
    }

    /** Commands that are answered differently each time. */
    static List<byte[]> others() {
        return List.of(
                command(CommandByte.STATISTICS, "", null).bytes,
                command(CommandByte.QUERY, "SELECT CONNECTION_ID(), NOW(6)", null).bytes,
                command(CommandByte.QUERY, "SET autocommit = 0", null).bytes,
                command(0x0c, "\1\0\0\0", null).bytes,
                command(0x12, "", null).bytes,
                command(CommandByte.QUIT, "", null).bytes);
    }

    /** As this client sends it. */
    byte[] of(int clientId, byte[] answers) {
        if (role == Role.PROOF) {
            var nonce = answers.length < NONCE
                    ? new byte[CachingSha2.NONCE_LENGTH]
                    : Arrays.copyOfRange(answers, answers.length - NONCE, answers.length - 1);
            var out = Unpooled.buffer();
            PacketBuilder.begin(out, 2)
                    .bytes(CachingSha2.scramble("app-secret", nonce))
                    .end();
            return ByteBufUtil.getBytes(out);
        }
        var text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.replace(OWN_ID, Integer.toString(clientId)).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Whether this is the answer, when {@code recorded} was the answer to another client. */
    boolean isAnswer(byte[] recorded, byte[] answer) {
        if (role != Role.CHALLENGED) {
            return Arrays.equals(recorded, answer);
        }
        int same = recorded.length - NONCE;
        return answer.length == recorded.length && Arrays.equals(recorded, 0, same, answer, 0, same);
    }

    private FuzzStep as(Role other) {
        return new FuzzStep(bytes, kind, other);
    }

    private static FuzzStep command(int code, String body, @Nullable Kind answer) {
        var out = Unpooled.buffer();
        PacketBuilder.begin(out, 0).int1(code).text(body).end();
        return new FuzzStep(ByteBufUtil.getBytes(out), answer, Role.COMMAND);
    }

    /** A command about the first statement that was prepared. */
    private static FuzzStep statement(int code, @Nullable Kind answer, int... rest) {
        var out = Unpooled.buffer();
        var packet = PacketBuilder.begin(out, 0).int1(code).int4(1);
        for (int b : rest) {
            packet.int1(b);
        }
        packet.end();
        return new FuzzStep(ByteBufUtil.getBytes(out), answer, Role.COMMAND);
    }

    /** @param sequence number of its first packet */
    private static FuzzStep file(int sequence, String... pieces) {
        var out = Unpooled.buffer();
        int next = sequence;
        for (var piece : pieces) {
            next = PacketBuilder.begin(out, next).text(piece).end();
        }
        PacketBuilder.begin(out, next).end();
        return new FuzzStep(ByteBufUtil.getBytes(out), null, Role.FILE);
    }

    /** @param attributes whether the client sends query attributes with each statement */
    private record Maker(boolean attributes) {
        FuzzStep query(String sql) {
            return command(CommandByte.QUERY, (attributes ? "\1\1\0\1\17\0\1a\2xy" : "") + sql, Kind.RESULT);
        }

        /**
         * Of a statement whose parameters are a number and a text.
         *
         * @param flags 1 asks for a cursor
         * @param text empty: it has come as long data
         */
        FuzzStep execute(int flags, String text) {
            var out = Unpooled.buffer();
            var packet =
                    PacketBuilder.begin(out, 0).int1(CommandByte.STMT_EXECUTE).int4(1);
            packet.int1(flags | (attributes ? 8 : 0)).int4(1);
            if (attributes) {
                packet.int1(3).int1(0).int1(1);
                packet.int2(3).int1(0).int2(0xfd).int1(0).int2(0xfd).int1(1).int1('a');
            } else {
                packet.int1(0).int1(1).int2(3).int2(0xfd);
            }
            packet.int4(7);
            if (!text.isEmpty()) {
                packet.lengthEncodedText(text);
            }
            packet.text(attributes ? "\2xy" : "").end();
            return new FuzzStep(ByteBufUtil.getBytes(out), Kind.RESULT, Role.COMMAND);
        }
    }
}
