package dev.shardwright.mysql.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A client's answer to the greeting (HandshakeResponse41).
 *
 * @param proof the authentication plugin's answer, made with the greeting's nonce
 * @param plugin the plugin that made the proof; empty when the client names none
 * @param zstdLevel how hard zstd shall try, if the client asks for it
 */
public record ClientLogin(
        int capabilities,
        int maxPacket,
        int collation,
        String user,
        byte[] proof,
        @Nullable String database,
        String plugin,
        int zstdLevel) {
    private static final int USUAL_LEVEL = 3;
    private static final int FILLER = 23;
    private static final int TLS_REQUEST = 4 + 4 + 1 + FILLER;

    public ClientLogin(
            int capabilities,
            int maxPacket,
            int collation,
            String user,
            byte[] proof,
            @Nullable String database,
            String plugin) {
        this(capabilities, maxPacket, collation, user, proof, database, plugin, USUAL_LEVEL);
    }

    /** Whether the payload is an SSLRequest: the beginning of an answer, sent in the clear before TLS begins. */
    public static boolean asksForTls(ByteBuf payload) {
        return payload.readableBytes() == TLS_REQUEST
                && Capability.has(payload.getIntLE(payload.readerIndex()), Capability.SSL);
    }

    /**
     * What a client sends first when it wants TLS: an SSLRequest, which tells nothing of who logs in. Returns the next
     * sequence number.
     */
    public static int writeTlsRequest(ByteBuf out, int sequence, int capabilities, int maxPacket, int collation) {
        return PacketBuilder.begin(out, sequence)
                .int4(capabilities | Capability.SSL)
                .int4(maxPacket)
                .int1(collation)
                .zeros(FILLER)
                .end();
    }

    /** Reads the payload. Connection attributes are not read. */
    public static ClientLogin read(ByteBuf payload) {
        var in = new PayloadReader(payload);
        int capabilities = in.int4();
        if (!Capability.has(capabilities, Capability.PROTOCOL_41)) {
            throw new MalformedPacketException("the client speaks the protocol from before MySQL 4.1");
        }
        int maxPacket = in.int4();
        int collation = in.int1();
        in.skip(FILLER);
        var user = in.nulTerminatedText();
        var proof = proof(in, capabilities);
        boolean named = Capability.has(capabilities, Capability.CONNECT_WITH_DB);
        var database = named ? in.nulTerminatedText() : "";
        var plugin = Capability.has(capabilities, Capability.PLUGIN_AUTH) ? in.nulTerminatedText() : "";
        return new ClientLogin(
                capabilities,
                maxPacket,
                collation,
                user,
                proof,
                database.isEmpty() ? null : database,
                plugin,
                zstdLevel(in, capabilities));
    }

    /** Behind the connection attributes. */
    private static int zstdLevel(PayloadReader in, int capabilities) {
        if (!Capability.has(capabilities, Capability.ZSTD_COMPRESSION)) {
            return USUAL_LEVEL;
        }
        if (Capability.has(capabilities, Capability.CONNECT_ATTRS)) {
            in.skip(in.lengthEncoded());
        }
        return in.int1();
    }

    private static byte[] proof(PayloadReader in, int capabilities) {
        if (Capability.has(capabilities, Capability.PLUGIN_AUTH_LENENC_DATA)) {
            return in.lengthEncodedBytes();
        }
        return Capability.has(capabilities, Capability.SECURE_CONNECTION) ? in.bytes(in.int1()) : in.nulTerminated();
    }

    /** Returns the next sequence number. */
    public int write(ByteBuf out, int sequence) {
        var packet = PacketBuilder.begin(out, sequence)
                .int4(capabilities)
                .int4(maxPacket)
                .int1(collation)
                .zeros(FILLER)
                .nulTerminated(user)
                .lengthEncoded(proof.length)
                .bytes(proof);
        if (database != null) {
            packet.nulTerminated(database);
        }
        packet.nulTerminated(plugin);
        if (Capability.has(capabilities, Capability.CONNECT_ATTRS)) {
            packet.lengthEncoded(0);
        }
        if (Capability.has(capabilities, Capability.ZSTD_COMPRESSION)) {
            packet.int1(zstdLevel);
        }
        return packet.end();
    }
}
