package dev.shardwright.reshard.copy;

import dev.shardwright.reshard.table.Key;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A primary key: its values for the next SELECT, and its place among the table's keys. */
public record KeyPoint(byte[][] values, Key key) {

    /** The values as they are kept in a target. */
    public byte[] stored() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            for (var value : values) {
                out.writeInt(value.length);
                out.write(value);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    public static byte[][] values(byte[] stored, int columns) {
        var values = new byte[columns][];
        try (var in = new DataInputStream(new ByteArrayInputStream(stored))) {
            for (int i = 0; i < columns; i++) {
                values[i] = in.readNBytes(in.readInt());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return values;
    }
}
