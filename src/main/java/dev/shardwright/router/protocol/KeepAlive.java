package dev.shardwright.router.protocol;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;

/** Finds out in two minutes that the other side's host has gone without a word; by itself Linux asks after two hours. */
public final class KeepAlive {
    private static final int IDLE_SECONDS = 60;
    private static final int PROBE_SECONDS = 10;
    private static final int PROBES = 6;

    private KeepAlive() {}

    public static void on(Channel channel) {
        channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
        if (channel instanceof EpollSocketChannel socket) {
            socket.config()
                    .setTcpKeepIdle(IDLE_SECONDS)
                    .setTcpKeepIntvl(PROBE_SECONDS)
                    .setTcpKeepCnt(PROBES);
        }
    }
}
