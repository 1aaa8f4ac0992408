package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.AuthSwitch;
import dev.shardwright.mysql.wire.CachingSha2;
import dev.shardwright.mysql.wire.Capability;
import dev.shardwright.mysql.wire.ClientLogin;
import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.mysql.wire.MalformedPacketException;
import dev.shardwright.mysql.wire.NativePassword;
import dev.shardwright.mysql.wire.OkPacket;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ServerGreeting;
import dev.shardwright.mysql.wire.ServerStatus;
import dev.shardwright.mysql.wire.SessionChanges;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.ReadTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Greets a client and checks its password by caching_sha2_password, or for old clients by mysql_native_password. The
 * router knows the passwords, so the fast path proves every right one and the full path, which hands the password over,
 * is never needed.
 */
public final class ClientLoginHandler extends SimpleChannelInboundHandler<ByteBuf> {
    public static final String NAME = "client-login";
    public static final String TIMEOUT = "client-login-timeout";
    public static final int PACKET_LIMIT = 1 << 16;

    private static final int OFFERED = Capability.SHARED
            | Capability.CONNECT_WITH_DB
            | Capability.SECURE_CONNECTION
            | Capability.PLUGIN_AUTH
            | Capability.PLUGIN_AUTH_LENENC_DATA
            | Capability.CONNECT_ATTRS
            | Capability.MULTI_STATEMENTS
            | Packing.offered();
    private static final int UTF8MB4 = 255;

    private final Logins logins;
    private final ClientFrames frames;
    private final int commandLimit;
    private final byte[] nonce = CachingSha2.freshNonce();
    private @Nullable SslContext tls;
    private boolean secured;
    private int connectionId;
    private @Nullable ClientLogin login;
    private boolean ended;

    /** @param commandLimit largest command of a client that is in, in bytes */
    public ClientLoginHandler(Logins logins, ClientFrames frames, int commandLimit) {
        this.logins = logins;
        this.frames = frames;
        this.commandLimit = commandLimit;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        connectionId = logins.nextConnectionId();
        tls = logins.tls();
        int offered = tls == null ? OFFERED : OFFERED | Capability.SSL;
        var out = context.alloc().buffer(128);
        new ServerGreeting(
                        logins.serverVersion(),
                        connectionId,
                        nonce,
                        offered,
                        UTF8MB4,
                        ServerStatus.AUTOCOMMIT,
                        CachingSha2.PLUGIN)
                .write(out);
        frames.expect(1);
        context.writeAndFlush(out);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf packet) {
        if (ended) {
            return;
        }
        int sequence = packet.getUnsignedByte(packet.readerIndex() + 3);
        packet.skipBytes(PacketBuilder.HEADER);
        var known = login;
        var encryption = tls;
        if (known == null && !secured && encryption != null && ClientLogin.asksForTls(packet)) {
            secure(context, encryption, PacketBuilder.next(sequence));
        } else if (known == null && !secured && logins.tlsRequired()) {
            refuse(context, PacketBuilder.next(sequence), ErrorCatalogue.tlsRequired());
        } else if (known == null) {
            received(context, ClientLogin.read(packet), sequence);
        } else {
            var proof = new byte[packet.readableBytes()];
            packet.readBytes(proof);
            decide(context, known, proof, PacketBuilder.next(sequence));
        }
    }

    /** From the next byte on all is encrypted, also what has come already. */
    private void secure(ChannelHandlerContext context, SslContext encryption, int sequence) {
        secured = true;
        frames.expect(sequence);
        var ahead = frames.takeAhead();
        context.pipeline().addFirst(encryption.newHandler(context.alloc()));
        frames.resume(framesContext(context));
        context.pipeline().fireChannelRead(ahead);
    }

    private void received(ChannelHandlerContext context, ClientLogin received, int sequence) {
        login = received;
        int next = PacketBuilder.next(sequence);
        if (received.plugin().equals(CachingSha2.PLUGIN)) {
            decide(context, received, received.proof(), next);
            return;
        }
        // A client that names no plugin is too old for any other than this one.
        boolean namesPlugins = Capability.has(received.capabilities(), Capability.PLUGIN_AUTH);
        if (!namesPlugins || (received.plugin().equals(NativePassword.PLUGIN) && received.proof().length > 0)) {
            decideNatively(context, received, next);
            return;
        }
        var out = context.alloc().buffer(64);
        frames.expect(AuthSwitch.write(out, next, CachingSha2.PLUGIN, nonce));
        context.writeAndFlush(out);
        frames.resume(framesContext(context));
    }

    private void decide(ChannelHandlerContext context, ClientLogin from, byte[] proof, int sequence) {
        var password = logins.password(from.user());
        var given = trimmed(proof);
        var proven = password != null && CachingSha2.proves(given, password, nonce) ? password : null;
        decide(context, from, proven, proven == null || proven.isEmpty(), given.length > 0, sequence);
    }

    private void decideNatively(ChannelHandlerContext context, ClientLogin from, int sequence) {
        var password = logins.password(from.user());
        boolean proven = password != null && NativePassword.proves(from.proof(), password, nonce);
        decide(context, from, proven ? password : null, true, from.proof().length > 0, sequence);
    }

    /**
     * @param proven the password, null when it was not proven
     * @param silent whether nothing is said of the proof before the OK packet
     */
    private void decide(
            ChannelHandlerContext context,
            ClientLogin from,
            @Nullable String proven,
            boolean silent,
            boolean usedPassword,
            int sequence) {
        if (proven == null) {
            refuse(context, sequence, ErrorCatalogue.accessDenied(from.user(), host(context), usedPassword));
            return;
        }
        var refusal = logins.refuseUser(context.channel(), from.user());
        if (refusal == null) {
            admit(context, from, proven, silent, sequence);
        } else {
            refuse(context, sequence, refusal);
        }
    }

    /** An empty password is sent as one zero byte by some clients. */
    private static byte[] trimmed(byte[] proof) {
        return proof.length == 1 && proof[0] == 0 ? new byte[0] : proof;
    }

    private void admit(ChannelHandlerContext context, ClientLogin from, String password, boolean silent, int sequence) {
        ended = true;
        var out = context.alloc().buffer(64);
        int next = sequence;
        if (!silent) {
            next = CachingSha2.writeFastSuccess(out, sequence);
        }
        var database = from.database();
        boolean known = database == null || logins.knowsDatabase(database);
        if (known) {
            var changes = SessionChanges.inDatabase(database);
            OkPacket.of(ServerStatus.AUTOCOMMIT).write(out, next, changes, from.capabilities());
        }
        context.write(out, context.voidPromise());
        var client = new ClientIdentity(
                connectionId,
                from.user(),
                password,
                host(context),
                from.capabilities() & OFFERED,
                from.collation(),
                database);
        frames.expect(0);
        frames.limit(commandLimit);
        var framesContext = framesContext(context);
        var handler = new ClientHandler(client.toString());
        context.pipeline().addLast(ClientHandler.NAME, handler);
        var listener = logins.loggedIn(client, frames, framesContext);
        handler.listen(listener);
        context.pipeline().remove(TIMEOUT);
        context.pipeline().remove(this);
        framesContext.channel().flush();
        var packing = Packing.of(from);
        if (packing != null) {
            frames.switchAtResume(() -> compress(framesContext, packing));
        }
        if (known) {
            frames.resume(framesContext);
        } else {
            listener.enterDatabase(next);
        }
    }

    /** The client has its OK packet. What comes from now on is compressed, also what has come already. */
    private void compress(ChannelHandlerContext framesContext, Packing packing) {
        var sequence = new CompressedSequence();
        var input = new CompressedInput(packing, sequence, frames);
        var ahead = frames.takeAhead();
        frames.unnumbered();
        framesContext
                .pipeline()
                .addBefore(framesContext.name(), "compressed-input", input)
                .addBefore(framesContext.name(), "compressed-output", new CompressedOutput(packing, sequence));
        input.arrived(framesContext.pipeline().context(input), ahead);
    }

    private ChannelHandlerContext framesContext(ChannelHandlerContext context) {
        return context.pipeline().context(frames);
    }

    private static String host(ChannelHandlerContext context) {
        return ProxyProtocol.clientHost(context.channel());
    }

    private void refuse(ChannelHandlerContext context, int sequence, ErrPacket error) {
        ended = true;
        logins.refused(error);
        new ClientOutput(context.channel(), 0).errorAndClose(sequence, error);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ClientFrames.Broken broken && !ended) {
            refuse(context, 2, broken.error());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean malformed =
                cause instanceof MalformedPacketException || cause.getCause() instanceof MalformedPacketException;
        if (malformed && !ended) {
            refuse(context, 2, ErrorCatalogue.malformedPacket());
        } else if (!(cause instanceof ReadTimeoutException) || !ended) {
            context.close();
        }
    }
}
