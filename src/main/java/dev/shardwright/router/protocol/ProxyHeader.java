package dev.shardwright.router.protocol;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import io.netty.handler.codec.haproxy.HAProxyProtocolVersion;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import io.netty.handler.timeout.ReadTimeoutException;
import io.netty.util.ReferenceCountUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a proxy's connection waiting until its header has come; only then does the login begin. */
final class ProxyHeader extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(ProxyHeader.class);
    /** The largest part of a header behind the addresses, in bytes: names of TLS clients, ids of cloud endpoints. */
    private static final int EXTENSIONS_LIMIT = 4_096;

    private final ChannelOutboundHandlerAdapter patience = new Patience();
    private boolean ended;

    /** Adds what reads the header to the end of the pipeline. */
    static void expect(ChannelPipeline pipeline) {
        var header = new ProxyHeader();
        pipeline.addLast(header.patience)
                .addLast(new HAProxyMessageDecoder(EXTENSIONS_LIMIT, true))
                .addLast(header);
    }

    /** The decoder closes the connection before it says that a header is wrong; the proxy shall be told first. */
    private final class Patience extends ChannelOutboundHandlerAdapter {
        @Override
        public void close(ChannelHandlerContext context, ChannelPromise promise) {
            if (ended) {
                context.close(promise);
            }
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        // Told to the login once it is known who the client is.
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HAProxyMessage header) {
            try {
                received(context, header);
            } finally {
                header.release();
            }
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    private void received(ChannelHandlerContext context, HAProxyMessage header) {
        if (header.protocolVersion() != HAProxyProtocolVersion.V2) {
            refuse(context, "it sent a PROXY header of version 1; let the proxy send version 2");
            return;
        }
        var address = header.sourceAddress();
        if (header.command() == HAProxyCommand.PROXY && isTcp(header.proxiedProtocol()) && address != null) {
            ProxyProtocol.tells(context.channel(), address);
        }
        context.pipeline().remove(patience);
        context.fireChannelActive();
        context.pipeline().remove(this);
    }

    /** Others, such as a proxy's own health checks, speak for themselves. */
    private static boolean isTcp(HAProxyProxiedProtocol protocol) {
        return protocol == HAProxyProxiedProtocol.TCP4 || protocol == HAProxyProxiedProtocol.TCP6;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        switch (cause) {
            case HAProxyProtocolException wrong ->
                refuse(context, "what it sent first is no PROXY header of version 2 (" + wrong.getMessage() + ")");
            case ReadTimeoutException none -> refuse(context, "it sent no PROXY header, as proxies must");
            default -> {
                ended = true;
                context.close();
            }
        }
    }

    private void refuse(ChannelHandlerContext context, String why) {
        if (!ended) {
            ended = true;
            var error = ErrorCatalogue.proxyHeaderRefused(ProxyProtocol.clientHost(context.channel()), why);
            log.info("a connection is closed: {}", error.message());
            new ClientOutput(context.channel(), 0).errorAndClose(0, error);
        }
    }
}
