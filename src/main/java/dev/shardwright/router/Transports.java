package dev.shardwright.router;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** Epoll where there is one, else Java's own selectors. */
record Transports(
        EventLoopGroup loops, Class<? extends ServerSocketChannel> server, Class<? extends SocketChannel> client) {

    static Transports open(int threads) {
        var factory = new DefaultThreadFactory("router-loop", true);
        return Epoll.isAvailable()
                ? new Transports(
                        new EpollEventLoopGroup(threads, factory),
                        EpollServerSocketChannel.class,
                        EpollSocketChannel.class)
                : new Transports(
                        new NioEventLoopGroup(threads, factory), NioServerSocketChannel.class, NioSocketChannel.class);
    }
}
