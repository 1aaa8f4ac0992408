package dev.shardwright.router;

import dev.shardwright.mysql.wire.MalformedPacketException;
import dev.shardwright.mysql.wire.PacketBuilder;
import dev.shardwright.mysql.wire.ServerGreeting;
import dev.shardwright.router.protocol.ServerVersions;
import dev.shardwright.topology.model.Endpoint;
import dev.shardwright.topology.model.ShardEntry;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the greetings of servers that the router has not yet heard, so that its first clients are told the right
 * version. Each server is read on a thread of its own, for a bounded time; who can't be reached is asked again by the
 * next call.
 */
final class VersionProbe {
    private static final Logger log = LoggerFactory.getLogger(VersionProbe.class);
    private static final int GREETING_LIMIT = 1 << 12;

    private final ServerVersions versions;
    private final int timeoutMillis;
    private final Set<String> asking = ConcurrentHashMap.newKeySet();

    /** @param timeout for the connection, and again for the greeting */
    VersionProbe(ServerVersions versions, Duration timeout) {
        this.versions = versions;
        this.timeoutMillis = (int) timeout.toMillis();
    }

    /** Begins to ask all of these that are unknown; the latch is open when all have answered or failed. */
    CountDownLatch ask(List<ShardEntry> shards) {
        var unknown = shards.stream()
                .filter(shard -> !versions.knows(shard.uid()) && asking.add(shard.uid()))
                .toList();
        var left = new CountDownLatch(unknown.size());
        for (var shard : unknown) {
            Thread.ofVirtual().name("router-version-" + shard.name()).start(() -> {
                try {
                    versions.heard(shard.uid(), read(shard.primary()));
                } catch (IOException | MalformedPacketException e) {
                    log.debug(
                            "shard {} at {} does not tell its version: {}",
                            shard.name(),
                            shard.primary(),
                            e.toString());
                } finally {
                    asking.remove(shard.uid());
                    left.countDown();
                }
            });
        }
        return left;
    }

    /** As {@link #ask}, and waits for the answers, at most as long as one server may take. Never on an event loop. */
    void learn(List<ShardEntry> shards) {
        try {
            if (!ask(shards).await(2L * timeoutMillis, TimeUnit.MILLISECONDS)) {
                log.info("clients are told {} until all servers have answered", versions.reported());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String read(Endpoint server) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.host(), server.port()), timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            var in = new DataInputStream(socket.getInputStream());
            var header = Unpooled.wrappedBuffer(in.readNBytes(PacketBuilder.HEADER));
            if (header.readableBytes() < PacketBuilder.HEADER || header.getUnsignedMediumLE(0) > GREETING_LIMIT) {
                throw new MalformedPacketException("no greeting");
            }
            var greeting = new byte[header.getUnsignedMediumLE(0)];
            in.readFully(greeting);
            return ServerGreeting.read(Unpooled.wrappedBuffer(greeting)).version();
        }
    }
}
