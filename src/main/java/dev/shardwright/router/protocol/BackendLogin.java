package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.AuthSwitch;
import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.ClientLogin;
import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.MalformedPacketException;
import dev.shardwright.mysql.wire.OkPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.PayloadReader;
import dev.shardwright.mysql.wire.ServerGreeting;
import dev.shardwright.topology.model.ShardEntry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.timeout.ReadTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Logs in to a shard's server by caching_sha2_password, then puts a {@link BackendConnection} in its own
 * place. With TLS nothing but the wish for it is sent before the server has shown a good certificate, and full
 * authentication sends the password as it is; without, encrypted by the server's RSA key.
 */
final class BackendLogin extends SimpleChannelInboundHandler<ByteBuf> {
    static final String NAME = "login";
    static final String FRAMES = "login-frames";
    static final String TIMEOUT = "login-timeout";

    /** Each changes packets that follow, so a server without them can't be spoken to. */
    private static final int EXPECTED = Capability.QUERY_ATTRIBUTES | Capability.OPTIONAL_RESULTSET_METADATA;

    private static final int MAX_PACKET = 1 << 30;

    private final ShardEntry shard;
    private final BackendConnector.Login login;
    private final ServerVersions versions;
    private final @Nullable ServerTls tls;
    private final BackendConnector.Callback callback;
    private byte[] nonce = new byte[0];
    private long serverSession;
    private boolean greeted;
    private boolean securing;
    private boolean ended;

    BackendLogin(
            ShardEntry shard,
            BackendConnector.Login login,
            ServerVersions versions,
            @Nullable ServerTls tls,
            BackendConnector.Callback callback) {
        this.shard = shard;
        this.login = login;
        this.versions = versions;
        this.tls = tls;
        this.callback = callback;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf packet) {
        if (ended) {
            return;
        }
        if (securing) {
            // Whoever has put this in would have it taken for the server's once TLS is there.
            throw new MalformedPacketException("something unencrypted came before TLS began");
        }
        int sequence = packet.getUnsignedByte(packet.readerIndex() + 3);
        packet.skipBytes(PacketBuilder.HEADER);
        if (!packet.isReadable()) {
            throw new MalformedPacketException("an empty packet in the login");
        }
        int first = packet.getUnsignedByte(packet.readerIndex());
        if (first == ErrPacket.HEADER) {
            fail(context, ConnectFailure.refused(ErrPacket.read(packet)));
        } else if (!greeted) {
            greeted(context, ServerGreeting.read(packet), sequence);
        } else {
            answer(context, packet, first, PacketBuilder.next(sequence));
        }
    }

    private void greeted(ChannelHandlerContext context, ServerGreeting greeting, int sequence) {
        greeted = true;
        versions.heard(shard.uid(), greeting.version());
        if (Capability.has(login.capabilities() & ~greeting.capabilities(), EXPECTED)) {
            throw new MalformedPacketException(
                    "the server is too old for query attributes or optional metadata: " + greeting.version());
        }
        nonce = greeting.nonce();
        serverSession = Integer.toUnsignedLong(greeting.connectionId());
        int next = PacketBuilder.next(sequence);
        if (tls == null) {
            logIn(context, capabilities(), next);
        } else if (Capability.has(greeting.capabilities(), Capability.SSL)) {
            secure(context, tls, next);
        } else {
            fail(context, ConnectFailure.unreachable(TlsFailure.NOT_OFFERED));
        }
    }

    private int capabilities() {
        return login.capabilities() & Capability.SHARED
                | Capability.PROTOCOL_41
                | Capability.SECURE_CONNECTION
                | Capability.PLUGIN_AUTH
                | Capability.PLUGIN_AUTH_LENENC_DATA
                | (login.database() == null ? 0 : Capability.CONNECT_WITH_DB);
    }

    /** Asks for TLS in the clear; the login follows when the handshake is done. */
    private void secure(ChannelHandlerContext context, ServerTls encryption, int sequence) {
        int capabilities = capabilities() | Capability.SSL;
        var out = context.alloc().buffer();
        int next = ClientLogin.writeTlsRequest(out, sequence, capabilities, MAX_PACKET, login.collationAtLogin());
        context.writeAndFlush(out);
        securing = true;
        // Bytes that the old frames still hold come here, and are refused.
        context.pipeline().remove(FRAMES);
        if (ended) {
            return;
        }
        var handler = encryption.handler(context.alloc(), shard.primary());
        context.pipeline().addFirst(handler).addBefore(NAME, FRAMES, BackendConnector.frames());
        handler.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                securing = false;
                logIn(context, capabilities, next);
            } else {
                fail(context, TlsFailure.of(done.cause(), encryption.name(shard.primary())));
            }
        });
    }

    private void logIn(ChannelHandlerContext context, int capabilities, int sequence) {
        var out = context.alloc().buffer();
        new ClientLogin(
                        capabilities,
                        MAX_PACKET,
                        login.collationAtLogin(),
                        login.user(),
                        CachingSha2.scramble(login.password(), nonce),
                        login.database(),
                        CachingSha2.PLUGIN)
                .write(out, sequence);
        context.writeAndFlush(out);
    }

    private void answer(ChannelHandlerContext context, ByteBuf packet, int first, int sequence) {
        switch (first) {
            case OkPacket.HEADER -> succeed(context, OkPacket.status(packet));
            case AuthSwitch.HEADER -> switched(context, packet, sequence);
            case CachingSha2.MORE_DATA -> more(context, packet, sequence);
            default -> throw new MalformedPacketException("an unknown packet in the login: " + first);
        }
    }

    private void switched(ChannelHandlerContext context, ByteBuf packet, int sequence) {
        var in = new PayloadReader(packet);
        in.int1();
        var plugin = in.nulTerminatedText();
        if (!plugin.equals(CachingSha2.PLUGIN)) {
            throw new MalformedPacketException(
                    "the server wants " + plugin + " for user " + login.user() + ", which is not supported");
        }
        nonce = Arrays.copyOf(in.rest(), CachingSha2.NONCE_LENGTH);
        reply(context, sequence, CachingSha2.scramble(login.password(), nonce));
    }

    private void more(ChannelHandlerContext context, ByteBuf packet, int sequence) {
        var in = new PayloadReader(packet);
        in.int1();
        var data = in.rest();
        if (data.length == 1 && data[0] == CachingSha2.FAST_SUCCESS) {
            return;
        }
        if (data.length == 1 && data[0] == CachingSha2.FULL_AUTHENTICATION) {
            reply(
                    context,
                    sequence,
                    tls == null ? new byte[] {CachingSha2.REQUEST_PUBLIC_KEY} : CachingSha2.clear(login.password()));
        } else if (tls == null) {
            var key = new String(data, StandardCharsets.US_ASCII);
            reply(context, sequence, CachingSha2.encrypt(login.password(), nonce, key));
        } else {
            throw new MalformedPacketException("the server asks for a password again that it has");
        }
    }

    private static void reply(ChannelHandlerContext context, int sequence, byte[] payload) {
        var out = context.alloc().buffer();
        PacketBuilder.begin(out, sequence).bytes(payload).end();
        context.writeAndFlush(out);
    }

    private void succeed(ChannelHandlerContext context, int status) {
        ended = true;
        var connection = new BackendConnection(shard, serverSession, context.channel(), login.capabilities(), status);
        context.pipeline().addLast(connection);
        context.pipeline().remove(TIMEOUT);
        context.pipeline().remove(FRAMES);
        context.pipeline().remove(this);
        callback.connected(connection);
    }

    private void fail(ChannelHandlerContext context, ConnectFailure failure) {
        if (!ended) {
            ended = true;
            callback.failed(failure);
        }
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail(context, ConnectFailure.unreachable("it closed the connection during the login"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var why = cause instanceof ReadTimeoutException
                ? "it did not answer the login in time"
                : String.valueOf(cause.getMessage());
        fail(context, ConnectFailure.unreachable(why));
    }
}
