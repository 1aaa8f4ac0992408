package dev.shardwright.mysql.binlog;

import java.io.InputStream;

/**
 * An event on its way from the server. Of a large one only the beginning has been read, and the rest must be before the next is asked for.
 *
 * @param head the event from its header on; its checksum included if it is whole
 * @param rest what follows the head, checksum included; gives so many bytes and then its end
 * @param left bytes of the rest
 */
public record IncomingEvent(byte[] head, InputStream rest, int left) {
    public static IncomingEvent whole(byte[] event) {
        return new IncomingEvent(event, InputStream.nullInputStream(), 0);
    }

    boolean isWhole() {
        return left == 0;
    }
}
