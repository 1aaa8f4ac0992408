package dev.shardwright.router.protocol;

import io.netty.channel.Channel;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.AttributeKey;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The networks of proxies, each of whose connections begins with a PROXY header of version 2 that tells the client's
 * address. Such a header is believed from nobody else.
 */
public final class ProxyProtocol {
    private static final AttributeKey<String> HOST = AttributeKey.valueOf(ProxyProtocol.class, "host");

    private final List<IpSubnetFilterRule> networks;

    private ProxyProtocol(List<IpSubnetFilterRule> networks) {
        this.networks = networks;
    }

    /** @param networks such as 10.0.0.0/8 or fd00::/8, IllegalArgumentException for anything else; empty: no proxies */
    public static ProxyProtocol from(List<String> networks) {
        return new ProxyProtocol(networks.stream().map(ProxyProtocol::rule).toList());
    }

    private static IpSubnetFilterRule rule(String network) {
        int slash = network.indexOf('/');
        var address = slash < 0 ? "" : network.substring(0, slash);
        boolean v4 = NetUtil.isValidIpV4Address(address);
        if (v4 || NetUtil.isValidIpV6Address(address)) {
            try {
                int bits = Integer.parseInt(network.substring(slash + 1));
                if (bits >= 0 && bits <= (v4 ? 32 : 128)) {
                    return new IpSubnetFilterRule(address, bits, IpFilterRuleType.ACCEPT);
                }
            } catch (NumberFormatException e) {
                // Told below.
            }
        }
        throw new IllegalArgumentException(
                "'" + network + "' is no network: write ADDRESS/BITS, such as 10.0.0.0/8 or fd00::/8");
    }

    /** Adds what handles the beginning of a new connection. */
    public void expectHeader(Channel channel) {
        if (networks.isEmpty() || !(channel.remoteAddress() instanceof InetSocketAddress peer)) {
            return;
        }
        if (networks.stream().anyMatch(network -> network.matches(peer))) {
            ProxyHeader.expect(channel.pipeline());
        } else {
            channel.pipeline().addLast(new UnwantedProxyHeader());
        }
    }

    /** The proxy has said who the client is. */
    static void tells(Channel channel, String host) {
        channel.attr(HOST).set(host);
    }

    /** The client's address: that which a proxy has told, else that of the connection itself. */
    static String clientHost(Channel channel) {
        var told = channel.attr(HOST).get();
        if (told != null) {
            return told;
        }
        return channel.remoteAddress() instanceof InetSocketAddress address
                ? address.getAddress().getHostAddress()
                : "unknown";
    }
}
