package dev.shardwright.mysql.binlog;

import dev.shardwright.mysql.client.SoftHeap;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Turns MySQL's binary JSON into text as MySQL's SELECT writes it. What JSON has no notation for (dates, large decimals, bytes)
 * is marked behind the text, see {@link ColumnKind#JSON}: D is a date, T a time, M a DATETIME, S a TIMESTAMP, B bytes, N a
 * DECIMAL that neither a double nor an integer of 64 bits holds.
 */
final class JsonText {
    private static final int DATE = 10;
    private static final int TIME = 11;
    private static final int DATETIME = 12;
    private static final int TIMESTAMP = 7;
    private static final int MAX_DEPTH = 200;
    /** As MySQL breaks its lines. */
    private static final Base64.Encoder BASE64 = Base64.getMimeEncoder(76, new byte[] {'\n'});

    private final byte[] binary;
    private final ByteArrayOutputStream out;
    private final StringBuilder marks = new StringBuilder();
    private int scalars;

    private JsonText(byte[] binary, ByteArrayOutputStream out) {
        this.binary = binary;
        this.out = out;
    }

    /** IllegalArgumentException when the bytes are not such a document. */
    static byte[] of(byte[] binary) {
        var out = new ByteArrayOutputStream();
        new JsonText(binary, out).document();
        return out.toByteArray();
    }

    /** The text of a document, put behind all else that is in its file. */
    static LargeValue inFile(LargeValue binary) throws IOException {
        SoftHeap.reserve("a JSON document", binary.length());
        try {
            var out = new InFile(binary.file());
            new JsonText(binary.copy(), out).document();
            out.drain();
            return new LargeValue(binary.file(), out.start, Math.toIntExact(out.end - out.start));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Never more than a piece is in memory. */
    private static final class InFile extends ByteArrayOutputStream {
        private static final int PIECE = 64 << 10;

        private final FileChannel file;
        final long start;
        long end;

        InFile(FileChannel file) throws IOException {
            super(PIECE);
            this.file = file;
            this.start = file.size();
            this.end = start;
        }

        @Override
        public void write(int b) {
            super.write(b);
            if (count == PIECE) {
                drain();
            }
        }

        @Override
        public void write(byte[] from, int at, int length) {
            for (int done = 0; done < length; ) {
                var piece = Math.min(length - done, PIECE - count);
                super.write(from, at + done, piece);
                done += piece;
                if (count == PIECE) {
                    drain();
                }
            }
        }

        void drain() {
            try {
                for (var rest = ByteBuffer.wrap(buf, 0, count); rest.hasRemaining(); ) {
                    end += file.write(rest, end);
                }
                count = 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void document() {
        // A column that ALTER TABLE has added holds nothing at all, which stands for JSON null.
        if (binary.length == 0) {
            ascii("null");
        } else {
            value(binary[0], 1, 0);
            ascii(marks.toString());
        }
    }

    private ByteCursor at(int position) {
        if (position > binary.length) {
            throw new IllegalArgumentException("a JSON value points beyond its document");
        }
        return new ByteCursor(binary, position, binary.length);
    }

    private void value(int type, int position, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("a JSON document of more than " + MAX_DEPTH + " levels");
        }
        switch (type) {
            case 0 -> composite(position, 2, true, depth);
            case 1 -> composite(position, 4, true, depth);
            case 2 -> composite(position, 2, false, depth);
            case 3 -> composite(position, 4, false, depth);
            default -> {
                scalar(type, position);
                scalars++;
            }
        }
    }

    private void scalar(int type, int position) {
        switch (type) {
            case 4 -> ascii(literal(at(position).u8()));
            case 5 -> ascii(Long.toString((short) at(position).little(2)));
            case 6 -> ascii(Long.toString(at(position).little(2)));
            case 7 -> ascii(Long.toString((int) at(position).little(4)));
            case 8 -> ascii(Long.toString(at(position).little(4)));
            case 9 -> ascii(Long.toString(at(position).little(8)));
            case 10 -> ascii(Long.toUnsignedString(at(position).little(8)));
            case 11 -> ascii(shortest(Double.longBitsToDouble(at(position).little(8))));
            case 12 -> {
                var in = at(position);
                var length = Math.toIntExact(length(in));
                var start = in.position();
                in.skip(length);
                quoted(binary, start, length);
            }
            case 15 -> opaque(at(position));
            default -> throw new IllegalArgumentException("a JSON value of unknown type " + type);
        }
    }

    /** As few digits as make the number, like MySQL; Java writes two where one does for the very smallest. */
    private static String shortest(double number) {
        if (number != 0 && Math.abs(number) < Double.MIN_NORMAL) {
            var digit = new BigDecimal(number).round(new MathContext(1)).toString();
            if (Double.parseDouble(digit) == number) {
                return digit;
            }
        }
        return Double.toString(number);
    }

    private static String literal(int code) {
        return switch (code) {
            case 0 -> "null";
            case 1 -> "true";
            case 2 -> "false";
            default -> throw new IllegalArgumentException("an unknown JSON literal, " + code);
        };
    }

    /** @param wide bytes of its offsets and counts */
    private void composite(int start, int wide, boolean object, int depth) {
        var head = at(start);
        var count = Math.toIntExact(head.little(wide));
        var keys = start + 2 * wide;
        var values = keys + (object ? count * (wide + 2) : 0);
        out.write(object ? '{' : '[');
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                ascii(", ");
            }
            if (object) {
                var key = at(keys + i * (wide + 2));
                var offset = Math.toIntExact(key.little(wide));
                quoted(at(start + offset).bytes(key.little(2)));
                ascii(": ");
            }
            var entry = values + i * (wide + 1);
            var type = at(entry).u8();
            var inline = type == 4 || type == 5 || type == 6 || (wide == 4 && (type == 7 || type == 8));
            value(
                    type,
                    inline ? entry + 1 : start + Math.toIntExact(at(entry + 1).little(wide)),
                    depth + 1);
        }
        out.write(object ? '}' : ']');
    }

    /** Seven bits in each byte, the lowest first. */
    private static long length(ByteCursor in) {
        long length = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            var next = in.u8();
            length |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return length;
            }
        }
        throw new IllegalArgumentException("a JSON value whose length never ends");
    }

    private void opaque(ByteCursor in) {
        var type = in.u8();
        var bytes = in.bytes(length(in));
        var content = new ByteCursor(bytes, 0, bytes.length);
        switch (type) {
            case TableMap.NEWDECIMAL -> decimal(PackedDecimal.read(content, content.u8(), content.u8()));
            case DATE -> marked('D', Temporals.jsonDate(content.little(8)));
            case TIME -> marked('T', Temporals.jsonTime(content.little(8)));
            case DATETIME -> marked('M', Temporals.jsonDateTime(content.little(8)));
            case TIMESTAMP -> marked('S', Temporals.jsonDateTime(content.little(8)));
            default -> marked('B', "base64:type" + type + ":" + BASE64.encodeToString(bytes));
        }
    }

    private void decimal(String text) {
        if (!JsonDecimal.isToldByText(new BigDecimal(text))) {
            mark('N');
        }
        ascii(text);
    }

    private void marked(char type, String text) {
        mark(type);
        quoted(text);
    }

    private void mark(char type) {
        marks.append(marks.isEmpty() ? '\n' : ',').append(scalars).append(type);
    }

    private void quoted(String text) {
        quoted(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void quoted(byte[] text) {
        quoted(text, 0, text.length);
    }

    private void quoted(byte[] text, int from, int length) {
        out.write('"');
        for (int i = from; i < from + length; i++) {
            var b = text[i];
            switch (b) {
                case '"', '\\' -> {
                    out.write('\\');
                    out.write(b);
                }
                case '\b' -> ascii("\\b");
                case '\f' -> ascii("\\f");
                case '\n' -> ascii("\\n");
                case '\r' -> ascii("\\r");
                case '\t' -> ascii("\\t");
                default -> {
                    if (b >= 0 && b < ' ') {
                        ascii(String.format("\\u%04x", b));
                    } else {
                        out.write(b);
                    }
                }
            }
        }
        out.write('"');
    }

    private void ascii(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
