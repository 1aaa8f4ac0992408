package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of a server's response in a stream of bytes, without decoding rows: it looks at packet
 * headers and at the few packets that begin or end a result. Bytes that it has passed may be forwarded
 * at once, so a result of any size needs no memory here. Not thread-safe; one for each connection.
 */
public final class ResponseScanner {
    /** What a command is answered with. */
    public enum Kind {
        /** OK, an error, or any number of result sets. */
        RESULT,
        /** The answer to COM_STMT_PREPARE. */
        PREPARE,
        /** Column definitions up to an EOF packet. */
        FIELD_LIST,
        /** Rows of a result whose columns are known, or none: the answer to COM_STMT_FETCH and to COM_SET_OPTION. */
        FETCH
    }

    /** Called for each result row and column; the slice is the whole payload and valid during the call only. */
    public interface PacketListener {
        void onColumn(ByteBuf payload);

        /** All columns of a result set have come; rows follow. */
        default void onColumnsEnd() {}

        void onRow(ByteBuf payload);
    }

    private enum Stage {
        FIRST,
        COLUMNS,
        COLUMNS_END,
        ROWS,
        DONE
    }

    /** First byte of a packet by which the server asks the client for a file's content. */
    private static final int FILE_REQUEST = 0xfb;

    /** OK, error and EOF packets are far smaller; anything larger is no such packet. */
    private static final int MAX_INSPECTED = 1 << 20;

    /** In the answer to COM_STMT_PREPARE, bytes. */
    private static final int FILLER_AND_WARNINGS = 3;

    private static final int MAX_COLUMNS = 4_096;

    /** Largest row that is handed to a listener. */
    private static final int MAX_LISTENED = 80 << 20;

    private final boolean deprecateEof;
    private final boolean optionalMetadata;
    private Kind kind = Kind.RESULT;
    private Stage stage = Stage.DONE;
    private long definitionsLeft;
    private long secondDefinitions;
    private int skip;
    private boolean continued;
    private int expected;
    private boolean anyNumber;
    private int sequence;
    private int sequenceShift;
    private int statusToAdd;
    private int status;
    private int publicStatementId;
    private int statementId;
    private int parameters;
    private long insertId;
    private boolean begun;
    private boolean fileRequested;
    private boolean metadata = true;
    private boolean outParameters;
    private @Nullable ErrPacket error;
    private @Nullable MalformedPacketException malformed;
    private @Nullable PacketListener listener;

    /** @param capabilities those that both sides have */
    public ResponseScanner(int capabilities) {
        this(capabilities, ServerStatus.AUTOCOMMIT);
    }

    /**
     * @param capabilities those that both sides have
     * @param status the server's at the login: not every answer has one
     */
    public ResponseScanner(int capabilities, int status) {
        this.deprecateEof = Capability.has(capabilities, Capability.DEPRECATE_EOF);
        this.optionalMetadata = Capability.has(capabilities, Capability.OPTIONAL_RESULTSET_METADATA);
        this.status = status;
    }

    /** Expects the answer to a command of one packet that is about to be sent. */
    public void begin(Kind answer) {
        begin(answer, 1);
    }

    /**
     * Expects the answer to a command that is about to be sent.
     *
     * @param firstSequence number of the answer's first packet, as the server has it
     */
    public void begin(Kind answer, int firstSequence) {
        kind = answer;
        stage = answer == Kind.FIELD_LIST || answer == Kind.FETCH ? Stage.ROWS : Stage.FIRST;
        expected = firstSequence & 0xff;
        anyNumber = false;
        malformed = null;
        skip = 0;
        continued = false;
        error = null;
        begun = false;
        fileRequested = false;
        outParameters = false;
        statusToAdd = 0;
        sequenceShift = 0;
        publicStatementId = 0;
        listener = null;
        insertId = 0;
    }

    /** From now on every packet is waited for whole and the listener gets columns and rows. */
    public void listen(PacketListener wanted) {
        listener = wanted;
    }

    /** These bits are set in every status field that passes, in place. */
    public void addStatus(int bits) {
        statusToAdd |= bits;
    }

    /** So much is added to every packet's sequence number, in place, when the response follows on another one. */
    public void shiftSequence(int by) {
        sequenceShift = by & 0xff;
    }

    /** The id that the client is told for the statement that is being prepared. */
    public void renameStatement(int id) {
        publicStatementId = id;
    }

    /**
     * Passes over as many bytes as can be judged, from the reader index on, which stays. It stops before a packet that is
     * malformed: see {@link #checkSound}.
     *
     * @return how many bytes belong to this response and may be forwarded
     */
    public int scan(ByteBuf in) {
        int start = in.readerIndex();
        int at = start;
        int end = in.writerIndex();
        while (stage != Stage.DONE && at < end && malformed == null) {
            if (skip > 0) {
                int passed = Math.min(skip, end - at);
                at += passed;
                skip -= passed;
                if (skip == 0 && !continued) {
                    packetPassed();
                }
                continue;
            }
            int next = packetOrNothing(in, at, end);
            if (next == at) {
                break;
            }
            at = next;
        }
        return at - start;
    }

    /** What has come before a malformed packet is as right as ever, and the client can be told of an error behind it. */
    private int packetOrNothing(ByteBuf in, int at, int end) {
        boolean begunBefore = begun;
        int sequenceBefore = sequence;
        try {
            return packet(in, at, end);
        } catch (MalformedPacketException e) {
            begun = begunBefore;
            sequence = sequenceBefore;
            malformed = e;
            return at;
        }
    }

    /** MalformedPacketException when the scan has come to a packet that is none. */
    public void checkSound() {
        if (malformed != null) {
            throw malformed;
        }
    }

    /** Begins the packet at {@code at}; returns {@code at} itself when more bytes are needed to judge it. */
    private int packet(ByteBuf in, int at, int end) {
        int body = at + PacketBuilder.HEADER;
        if (body > end) {
            return at;
        }
        int length = in.getUnsignedMediumLE(at);
        if (continued) {
            return continuation(in, at, length);
        }
        if (length == 0) {
            throw new MalformedPacketException("the server sent an empty packet");
        }
        if (body == end) {
            return at;
        }
        int first = in.getUnsignedByte(body);
        if (!inspected(first, length)) {
            return listener == null ? pass(in, at, length) : listened(in, at, end, listener);
        }
        if (length > MAX_INSPECTED) {
            throw new MalformedPacketException("the server sent a packet of " + length + " bytes at a wrong place");
        }
        if (body + length > end) {
            return at;
        }
        if (first == ErrPacket.HEADER && !begun && in.getUnsignedByte(at + 3) == 0) {
            // Of a server that had ended this session before it read the command.
            anyNumber = true;
        }
        passHeader(in, at);
        inspect(in, body, length, first);
        return body + length;
    }

    private void passHeader(ByteBuf in, int at) {
        sequence = in.getUnsignedByte(at + 3);
        expect(sequence);
        if (sequenceShift != 0) {
            sequence = sequence + sequenceShift & 0xff;
            in.setByte(at + 3, sequence);
        }
    }

    private void expect(int number) {
        if (!anyNumber && number != expected) {
            throw new MalformedPacketException(
                    "the server sent packet number " + number + " where " + expected + " must come");
        }
        anyNumber = false;
        expected = PacketBuilder.next(number);
    }

    private int continuation(ByteBuf in, int at, int length) {
        passHeader(in, at);
        skip = length;
        continued = length == PacketBuilder.FULL;
        if (length == 0) {
            packetPassed();
        }
        return at + PacketBuilder.HEADER;
    }

    private int pass(ByteBuf in, int at, int length) {
        passHeader(in, at);
        skip = length;
        continued = length == PacketBuilder.FULL;
        begun = true;
        return at + PacketBuilder.HEADER;
    }

    private int listened(ByteBuf in, int at, int end, PacketListener wanted) {
        int after = LogicalPacket.end(in, at, end, MAX_LISTENED);
        if (after == at) {
            return at;
        }
        for (int piece = at; piece < after; piece += PacketBuilder.HEADER + in.getUnsignedMediumLE(piece)) {
            passHeader(in, piece);
        }
        var payload = LogicalPacket.payload(in, at, after);
        if (stage == Stage.COLUMNS) {
            wanted.onColumn(payload);
        } else {
            wanted.onRow(payload);
        }
        packetPassed();
        return after;
    }

    private boolean inspected(int first, int length) {
        return switch (stage) {
            case FIRST, COLUMNS_END -> true;
            case COLUMNS, DONE -> first == ErrPacket.HEADER && length < PacketBuilder.FULL;
            case ROWS ->
                (first == ErrPacket.HEADER && length < PacketBuilder.FULL)
                        || (first == OkPacket.EOF_HEADER && endsRows(length));
        };
    }

    private boolean endsRows(int length) {
        return length < 9 || (deprecateEof && kind != Kind.FIELD_LIST && length < PacketBuilder.FULL);
    }

    private void packetPassed() {
        if (stage == Stage.COLUMNS && --definitionsLeft == 0) {
            afterDefinitions();
        }
    }

    private void afterDefinitions() {
        if (!deprecateEof) {
            stage = Stage.COLUMNS_END;
        } else {
            afterColumnsEnd();
        }
    }

    /** A cursor keeps its rows until they are fetched. */
    private void columnsEnded() {
        outParameters = (status & ServerStatus.PS_OUT_PARAMS) != 0;
        if (kind == Kind.RESULT && (status & ServerStatus.CURSOR_EXISTS) != 0) {
            stage = Stage.DONE;
        } else {
            afterColumnsEnd();
        }
    }

    private void afterColumnsEnd() {
        if (kind != Kind.PREPARE) {
            stage = Stage.ROWS;
            if (listener != null) {
                listener.onColumnsEnd();
            }
        } else if (secondDefinitions > 0) {
            long second = secondDefinitions;
            secondDefinitions = 0;
            beginDefinitions(second);
        } else {
            stage = Stage.DONE;
        }
    }

    private void inspect(ByteBuf in, int body, int length, int first) {
        var payload = in.slice(body, length);
        if (first == ErrPacket.HEADER) {
            error = ErrPacket.read(payload);
            stage = Stage.DONE;
            return;
        }
        begun = true;
        switch (stage) {
            case FIRST -> first(payload, first);
            case COLUMNS_END -> {
                status(payload, 3);
                columnsEnded();
            }
            case ROWS -> endOfRows(payload);
            case COLUMNS, DONE -> throw new MalformedPacketException("the server sent a packet at a wrong place");
        }
    }

    private void first(ByteBuf payload, int first) {
        if (kind == Kind.PREPARE) {
            prepared(payload);
        } else if (first == OkPacket.HEADER) {
            var in = new PayloadReader(payload);
            in.int1();
            in.lengthEncoded();
            long made = in.lengthEncoded();
            insertId = made == 0 ? insertId : made;
            status(payload, payload.readerIndex());
            endOfResult();
        } else if (first == FILE_REQUEST) {
            fileRequested = true;
            // The next number depends on how many packets the file has.
            anyNumber = true;
        } else {
            var in = new PayloadReader(payload);
            long columns = in.lengthEncoded();
            readMetadata(in);
            if (columns < 1 || columns > MAX_COLUMNS || in.remaining() > 0) {
                throw new MalformedPacketException("the server sent a result set of " + columns + " columns");
            }
            beginDefinitions(columns);
        }
    }

    private void readMetadata(PayloadReader in) {
        metadata = !optionalMetadata || in.int1() != 0;
    }

    /** Where they are left out, what ends them still comes. */
    private void beginDefinitions(long count) {
        definitionsLeft = count;
        stage = Stage.COLUMNS;
        if (!metadata) {
            afterDefinitions();
        }
    }

    private void prepared(ByteBuf payload) {
        var in = new PayloadReader(payload);
        in.int1();
        statementId = in.int4();
        int columns = in.int2();
        parameters = in.int2();
        if (publicStatementId != 0) {
            payload.setIntLE(1, publicStatementId);
        }
        in.skip(FILLER_AND_WARNINGS);
        readMetadata(in);
        secondDefinitions = parameters > 0 ? columns : 0;
        stage = Stage.DONE;
        if (parameters > 0 || columns > 0) {
            beginDefinitions(parameters > 0 ? parameters : columns);
        }
    }

    private void endOfRows(ByteBuf payload) {
        if (payload.readableBytes() < 9 && !deprecateEof || kind == Kind.FIELD_LIST) {
            status(payload, 3);
        } else {
            var in = new PayloadReader(payload);
            in.int1();
            in.lengthEncoded();
            in.lengthEncoded();
            status(payload, payload.readerIndex());
        }
        endOfResult();
    }

    private void endOfResult() {
        // An OK packet follows on OUT parameters, though only the packet before their row says so to those who read EOF
        // packets.
        stage = outParameters || (status & ServerStatus.MORE_RESULTS) != 0 ? Stage.FIRST : Stage.DONE;
        outParameters = false;
    }

    private void status(ByteBuf payload, int offset) {
        if (offset + 2 > payload.writerIndex()) {
            throw new MalformedPacketException("the server sent a packet without its status");
        }
        status = payload.getUnsignedShortLE(offset);
        if (statusToAdd != 0) {
            payload.setShortLE(offset, status | statusToAdd);
        }
    }

    /** Whether the server has asked for a file's content since this was asked last; the response goes on after it. */
    public boolean takeFileRequest() {
        boolean requested = fileRequested;
        fileRequested = false;
        return requested;
    }

    /** How much lower the server's own sequence number is, modulo 256. */
    public int sequenceShift() {
        return sequenceShift;
    }

    /** No response is expected any more. */
    public boolean done() {
        return stage == Stage.DONE;
    }

    /** All bytes so far end with a whole packet, so another packet may be put after them. */
    public boolean betweenPackets() {
        return skip == 0 && !continued;
    }

    /** Sequence number of the last packet that was begun. */
    public int sequence() {
        return sequence;
    }

    /** The server's last status field, as it came; of an earlier answer if this one has none. */
    public int status() {
        return status;
    }

    /** The error that ended the response, or null. */
    public @Nullable ErrPacket error() {
        return error;
    }

    /** Whether the last result or prepared statement came with its columns' metadata. */
    public boolean metadata() {
        return metadata;
    }

    /** Whether anything but an error has been answered. */
    public boolean begun() {
        return begun;
    }

    /** The id that the last INSERT of the response made or named, as an unsigned 64-bit number; 0: none. */
    public long insertId() {
        return insertId;
    }

    /** The server's id of the statement that was prepared. */
    public int statementId() {
        return statementId;
    }

    /** Number of parameters of the statement that was prepared. */
    public int parameters() {
        return parameters;
    }
}
