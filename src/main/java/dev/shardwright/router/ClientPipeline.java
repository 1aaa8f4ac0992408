package dev.shardwright.router;

import dev.shardwright.mysql.wire.ErrPacket;
import dev.shardwright.router.protocol.ClientFrames;
import dev.shardwright.router.protocol.ClientLoginHandler;
import dev.shardwright.router.protocol.ClientOutput;
import dev.shardwright.router.protocol.KeepAlive;
import dev.shardwright.router.protocol.LoginDeadline;
import dev.shardwright.router.protocol.Logins;
import dev.shardwright.router.protocol.ProxyProtocol;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import java.time.Duration;

/** The handlers of a client's connection until it is logged in. */
final class ClientPipeline extends ChannelInitializer<Channel> {
    private static final Duration LOGIN_TIME = Duration.ofSeconds(10);

    private final Logins logins;
    private final ProxyProtocol proxies;
    private final int maxPacket;

    ClientPipeline(Logins logins, ProxyProtocol proxies, int maxPacket) {
        this.logins = logins;
        this.proxies = proxies;
        this.maxPacket = maxPacket;
    }

    @Override
    protected void initChannel(Channel channel) {
        var refusal = logins.refuseConnection(channel);
        if (refusal != null) {
            logins.refused(refusal);
            channel.pipeline().addLast(new Refused(refusal));
            return;
        }
        KeepAlive.on(channel);
        var frames = new ClientFrames(ClientLoginHandler.PACKET_LIMIT);
        channel.pipeline().addLast(ClientLoginHandler.TIMEOUT, new LoginDeadline(LOGIN_TIME));
        proxies.expectHeader(channel);
        channel.pipeline()
                .addLast(frames)
                .addLast(ClientLoginHandler.NAME, new ClientLoginHandler(logins, frames, maxPacket));
    }

    /** A connection that gets an error instead of a greeting. */
    private static final class Refused extends ChannelInboundHandlerAdapter {
        private final ErrPacket error;

        Refused(ErrPacket error) {
            this.error = error;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            new ClientOutput(context.channel(), 0).errorAndClose(0, error);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            io.netty.util.ReferenceCountUtil.release(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
