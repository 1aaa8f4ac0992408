package dev.shardwright.router;

import dev.shardwright.router.protocol.ClientFrames;
import dev.shardwright.router.protocol.ClientLoginHandler;
import dev.shardwright.router.protocol.Logins;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.timeout.ReadTimeoutHandler;

/** The handlers of a client's connection until it is logged in. */
final class ClientPipeline extends ChannelInitializer<Channel> {
    private static final int LOGIN_SECONDS = 10;

    private final Logins logins;
    private final int maxPacket;

    ClientPipeline(Logins logins, int maxPacket) {
        this.logins = logins;
        this.maxPacket = maxPacket;
    }

    @Override
    protected void initChannel(Channel channel) {
        var frames = new ClientFrames(ClientLoginHandler.PACKET_LIMIT);
        channel.pipeline()
                .addLast(ClientLoginHandler.TIMEOUT, new ReadTimeoutHandler(LOGIN_SECONDS))
                .addLast(frames)
                .addLast(ClientLoginHandler.NAME, new ClientLoginHandler(logins, frames, maxPacket));
    }
}
