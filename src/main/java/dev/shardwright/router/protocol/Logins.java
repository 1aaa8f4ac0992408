package dev.shardwright.router.protocol;

import dev.shardwright.mysql.wire.ErrPacket;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/** What the login of a client asks of the router. */
public interface Logins {

    /** A connection has been refused with this error. */
    void refused(ErrPacket error);

    /** Counts a new connection until it closes; or says why it is refused. */
    @Nullable
    ErrPacket refuseConnection(Channel channel);

    /**
     * Counts the connection as this user's, who has proven to be that, until it closes or becomes another's; or says why
     * it is refused.
     */
    @Nullable
    ErrPacket refuseUser(Channel channel, String user);

    /** The user's password, or null when there is no such user. */
    @Nullable
    String password(String user);

    /** What the user's password was before it changed, or null; no client can log in with it, but a server may lag behind. */
    @Nullable
    String formerPassword(String user);

    /** Whether every server has this database; others the listener asks for. */
    boolean knowsDatabase(String database);

    /** What encrypts a connection that begins now; null when the router has no certificate. */
    @Nullable
    SslContext tls();

    /** Whether a client that does not encrypt is refused. */
    boolean tlsRequired();

    int nextConnectionId();

    /** What a client is told of the server that it speaks to. */
    String serverVersion();

    /** The client is in; its commands go to the listener. */
    CommandListener loggedIn(ClientIdentity client, ClientFrames frames, ChannelHandlerContext context);
}
