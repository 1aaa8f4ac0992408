package dev.shardwright.mysql.binlog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One value of a row image. */
final class ValueDecoder {
    private ValueDecoder() {}

    static byte[] value(ByteCursor in, int type, int metadata, ColumnFormat format) throws IOException {
        return switch (type) {
            case 1 -> integer(in, 1, format);
            case 2 -> integer(in, 2, format);
            case 9 -> integer(in, 3, format);
            case 3 -> integer(in, 4, format);
            case 8 -> integer(in, 8, format);
            case 13 -> year(in.u8());
            case TableMap.FLOAT -> ascii(Double.toString(Float.intBitsToFloat((int) in.little(4))));
            case TableMap.DOUBLE -> ascii(Double.toString(Double.longBitsToDouble(in.little(8))));
            case TableMap.NEWDECIMAL -> ascii(PackedDecimal.read(in, metadata >> 8, metadata & 0xff));
            case 10, 14 -> ascii(Temporals.date(in.little(3)));
            case TableMap.TIME2 -> ascii(Temporals.time(in, metadata));
            case TableMap.DATETIME2 -> ascii(Temporals.dateTime(in, metadata));
            case TableMap.TIMESTAMP2 -> ascii(Temporals.timestamp(in, metadata));
            case TableMap.VARCHAR -> in.bytes(in.little(metadata > 255 ? 2 : 1));
            case TableMap.BIT -> in.bytes((metadata >> 8) + ((metadata & 0xff) > 0 ? 1 : 0));
            case TableMap.BLOB, TableMap.GEOMETRY, TableMap.VECTOR -> in.bytes(in.little(metadata));
            case TableMap.JSON -> JsonText.of(in.bytes(in.little(metadata)));
            case TableMap.STRING -> string(in, metadata, format);
            default ->
                throw new IllegalArgumentException("column type " + type + " in the binary log is not supported");
        };
    }

    /** The value if it is large and lies in a file, where it stays, a document as text behind all else; else null, and nothing is taken. */
    static @Nullable LargeValue large(ByteCursor in, int type, int metadata) throws IOException {
        return switch (type) {
            case TableMap.BLOB, TableMap.GEOMETRY, TableMap.VECTOR -> in.large(metadata);
            case TableMap.JSON -> {
                var binary = in.large(metadata);
                yield binary == null ? null : JsonText.inFile(binary);
            }
            default -> null;
        };
    }

    private static byte[] integer(ByteCursor in, int length, ColumnFormat format) {
        var value = in.little(length);
        if (format.unsigned()) {
            return ascii(Long.toUnsignedString(value));
        }
        var unused = 64 - 8 * length;
        return ascii(Long.toString(value << unused >> unused));
    }

    private static byte[] year(int value) {
        return ascii(value == 0 ? "0000" : Integer.toString(1900 + value));
    }

    /** CHAR, BINARY, ENUM and SET share a type; bits of a length above 255 hide in the type's byte. */
    private static byte[] string(ByteCursor in, int metadata, ColumnFormat format) {
        var real = metadata >> 8;
        var length = metadata & 0xff;
        if ((real & 0x30) != 0x30) {
            length |= ((real & 0x30) ^ 0x30) << 4;
            real |= 0x30;
        }
        if (real == TableMap.ENUM || real == TableMap.SET) {
            return ascii(Long.toUnsignedString(in.little(length)));
        }
        var bytes = in.bytes(in.little(length > 255 ? 2 : 1));
        return format.fixedLength() > bytes.length ? Arrays.copyOf(bytes, format.fixedLength()) : bytes;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
