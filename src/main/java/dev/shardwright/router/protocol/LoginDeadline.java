package dev.shardwright.router.protocol;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.ReadTimeoutException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Raises a ReadTimeoutException when it is still there after so long. Unlike a ReadTimeoutHandler it bounds all of a login, of
 * which somebody could send a byte now and then.
 */
public final class LoginDeadline extends ChannelInboundHandlerAdapter {
    private final Duration time;
    private @Nullable Future<?> expiry;

    public LoginDeadline(Duration time) {
        this.time = time;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        expiry = context.executor()
                .schedule(
                        () -> context.fireExceptionCaught(ReadTimeoutException.INSTANCE),
                        time.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        var running = expiry;
        if (running != null) {
            running.cancel(false);
        }
    }
}
