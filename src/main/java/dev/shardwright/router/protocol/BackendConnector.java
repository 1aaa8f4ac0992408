package dev.shardwright.router.protocol;

import dev.shardwright.topology.model.ShardEntry;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Opens connections to shards' servers on a given event loop. Names are resolved off the loop. */
public final class BackendConnector {
    private static final int LOGIN_PACKET_LIMIT = 1 << 16;

    private final Class<? extends Channel> channelType;
    private final Executor resolver;
    private final Duration connectTimeout;
    private final ServerVersions versions;
    private final @Nullable ServerTls tls;

    /**
     * @param connectTimeout for the TCP connection, and again for the login
     * @param versions hears each server's greeting
     * @param tls null: connections are not encrypted
     */
    public BackendConnector(
            Class<? extends Channel> channelType,
            Executor resolver,
            Duration connectTimeout,
            ServerVersions versions,
            @Nullable ServerTls tls) {
        this.channelType = channelType;
        this.resolver = resolver;
        this.connectTimeout = connectTimeout;
        this.versions = versions;
        this.tls = tls;
    }

    /**
     * Who logs in and how.
     *
     * @param formerPassword for a server that does not know the password yet; null: there is none
     */
    public record Login(
            String user,
            String password,
            @Nullable String formerPassword,
            @Nullable String database,
            int capabilities,
            int collation) {
        private static final int UTF8MB4 = 255;

        /** Whether the collation can be named only after the login, where there is one byte for it. */
        public boolean namesCollationLater() {
            return collation > 0xff;
        }

        private @Nullable Login withFormerPassword() {
            return formerPassword == null || formerPassword.equals(password)
                    ? null
                    : new Login(user, formerPassword, null, database, capabilities, collation);
        }

        int collationAtLogin() {
            return namesCollationLater() ? UTF8MB4 : collation;
        }
    }

    /** Called once, on the event loop. */
    public interface Callback {
        void connected(BackendConnection connection);

        void failed(ConnectFailure failure);
    }

    public void connect(EventLoop loop, ShardEntry shard, Login login, Callback callback) {
        var former = login.withFormerPassword();
        attempt(
                loop,
                shard,
                login,
                former == null
                        ? callback
                        : new Callback() {
                            @Override
                            public void connected(BackendConnection connection) {
                                callback.connected(connection);
                            }

                            @Override
                            public void failed(ConnectFailure failure) {
                                if (failure.isWrongPassword()) {
                                    attempt(loop, shard, former, callback);
                                } else {
                                    callback.failed(failure);
                                }
                            }
                        });
    }

    private void attempt(EventLoop loop, ShardEntry shard, Login login, Callback callback) {
        var host = shard.primary().host();
        if (isAddress(host)) {
            resolved(loop, shard, login, callback);
            return;
        }
        try {
            resolver.execute(() -> resolved(loop, shard, login, callback));
        } catch (RejectedExecutionException e) {
            callback.failed(ConnectFailure.unreachable("too many names wait to be resolved"));
        }
    }

    /** Blocks while a name is resolved; an address is only parsed. */
    private void resolved(EventLoop loop, ShardEntry shard, Login login, Callback callback) {
        try {
            var address = new InetSocketAddress(
                    InetAddress.getByName(shard.primary().host()),
                    shard.primary().port());
            onLoop(loop, () -> open(loop, address, shard, login, callback));
        } catch (UnknownHostException e) {
            onLoop(
                    loop,
                    () -> callback.failed(ConnectFailure.unreachable(
                            "its host " + shard.primary().host() + " has no address")));
        }
    }

    private static void onLoop(EventLoop loop, Runnable action) {
        if (loop.inEventLoop()) {
            action.run();
        } else {
            loop.execute(action);
        }
    }

    private void open(EventLoop loop, InetSocketAddress address, ShardEntry shard, Login login, Callback callback) {
        new Bootstrap()
                .group(loop)
                .channel(channelType)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connectTimeout.toMillis())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        KeepAlive.on(channel);
                        channel.pipeline()
                                .addLast(BackendLogin.TIMEOUT, new LoginDeadline(connectTimeout))
                                .addLast(BackendLogin.FRAMES, frames())
                                .addLast(BackendLogin.NAME, new BackendLogin(shard, login, versions, tls, callback));
                    }
                })
                .connect(address)
                .addListener((ChannelFuture connected) -> {
                    if (!connected.isSuccess()) {
                        callback.failed(ConnectFailure.unreachable(
                                String.valueOf(connected.cause().getMessage())));
                    }
                });
    }

    static LengthFieldBasedFrameDecoder frames() {
        return new LengthFieldBasedFrameDecoder(ByteOrder.LITTLE_ENDIAN, LOGIN_PACKET_LIMIT, 0, 3, 1, 0, true);
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || Character.isDigit(c));
    }
}
