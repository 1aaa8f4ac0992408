package dev.shardwright.router;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.buffer.ClientMemory;
import dev.shardwright.router.executor.RouterLoop;
import dev.shardwright.router.executor.RouterMetrics;
import dev.shardwright.router.executor.SessionRunner;
import dev.shardwright.router.executor.Sessions;
import dev.shardwright.router.protocol.ClientFrames;
import dev.shardwright.router.protocol.ClientIdentity;
import dev.shardwright.router.protocol.ClientOutput;
import dev.shardwright.router.protocol.CommandListener;
import dev.shardwright.router.protocol.Logins;
import dev.shardwright.router.protocol.ServerVersions;
import dev.shardwright.router.session.ClientSession;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Admits clients and gives each a session on its own event loop. */
final class ClientLogins implements Logins {
    private final RouterConfig config;
    private final UsersFile users;
    private final @Nullable Certificates certificates;
    private final ServerVersions versions;
    private final Map<EventLoop, RouterLoop> loops = new HashMap<>();
    private final Sessions sessions;
    private final ConnectionCounts counts;
    private final RouterMetrics metrics;

    ClientLogins(
            RouterConfig config,
            UsersFile users,
            @Nullable Certificates certificates,
            ServerVersions versions,
            Sessions sessions,
            List<RouterLoop> all,
            RouterMetrics metrics) {
        this.metrics = metrics;
        this.config = config;
        this.counts = new ConnectionCounts(
                config.clients().maxConnections(), config.clients().maxConnectionsPerUser());
        this.certificates = certificates;
        this.users = users;
        this.sessions = sessions;
        this.versions = versions;
        all.forEach(loop -> loops.put(loop.eventLoop(), loop));
    }

    @Override
    public void refused(ErrPacket error) {
        metrics.refused(RouterMetrics.Refused.by(error.errno())).increment();
    }

    @Override
    public @Nullable ErrPacket refuseConnection(Channel channel) {
        return counts.connects(channel);
    }

    @Override
    public @Nullable ErrPacket refuseUser(Channel channel, String user) {
        return counts.becomes(channel, user);
    }

    @Override
    public @Nullable String password(String user) {
        return users.password(user);
    }

    @Override
    public @Nullable String formerPassword(String user) {
        return users.formerPassword(user);
    }

    @Override
    public boolean knowsDatabase(String database) {
        return SessionRunner.knowsDatabase(config.keyspace(), database);
    }

    @Override
    public @Nullable SslContext tls() {
        return certificates == null ? null : certificates.current();
    }

    @Override
    public boolean tlsRequired() {
        var tls = config.tls();
        return tls != null && tls.required();
    }

    @Override
    public int nextConnectionId() {
        return sessions.nextId();
    }

    @Override
    public String serverVersion() {
        return versions.reported();
    }

    @Override
    public CommandListener loggedIn(ClientIdentity client, ClientFrames frames, ChannelHandlerContext context) {
        var loop = loops.get(context.channel().eventLoop());
        if (loop == null) {
            throw new IllegalStateException("a client on an event loop that is none of the router's");
        }
        var memory = new ClientMemory(loop.statementBudget());
        frames.takeFrom(memory);
        return new SessionRunner(
                loop,
                this,
                new ClientSession(client, memory),
                new ClientOutput(context.channel(), client.capabilities()),
                frames,
                context);
    }
}
