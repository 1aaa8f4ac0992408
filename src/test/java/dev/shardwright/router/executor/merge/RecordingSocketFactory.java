package dev.shardwright.router.executor.merge;

import com.mysql.cj.conf.PropertySet;
import com.mysql.cj.protocol.StandardSocketFactory;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets a test see the packets that a server sends: the newest connection's bytes since the last {@link #forget}. */
public final class RecordingSocketFactory extends StandardSocketFactory {
    private static final ThreadLocal<ByteArrayOutputStream> HEARD = ThreadLocal.withInitial(ByteArrayOutputStream::new);

    static void forget() {
        HEARD.get().reset();
    }

    /** The payloads of all packets heard since; packets of 16 MiB are not put together. */
    static List<byte[]> packets() {
        var bytes = HEARD.get().toByteArray();
        var packets = new ArrayList<byte[]>();
        for (var at = 0; at + 4 <= bytes.length; ) {
            var length = Lengths.little(bytes, at, 3);
            packets.add(java.util.Arrays.copyOfRange(bytes, at + 4, at + 4 + length));
            at += 4 + length;
        }
        return packets;
    }

    @Override
    protected Socket createSocket(@Nullable PropertySet properties) {
        return new Socket() {
            @Override
            public InputStream getInputStream() throws IOException {
                return new FilterInputStream(super.getInputStream()) {
                    @Override
                    public int read() throws IOException {
                        var one = super.read();
                        if (one >= 0) {
                            HEARD.get().write(one);
                        }
                        return one;
                    }

                    @Override
                    public int read(byte[] into, int offset, int length) throws IOException {
                        var count = super.read(into, offset, length);
                        if (count > 0) {
                            HEARD.get().write(into, offset, count);
                        }
                        return count;
                    }
                };
            }
        };
    }
}
