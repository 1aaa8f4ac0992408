package dev.shardwright.operator.mapping;

import dev.shardwright.reshard.workflow.Leadership;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the API server, not a cache, whether this process still holds the operator's Lease. */
public final class LeaseLeadership implements Leadership {
    private static final Logger log = LoggerFactory.getLogger(LeaseLeadership.class);

    private final KubernetesClient client;
    private final String namespace;
    private final String lease;
    private final String identity;

    public LeaseLeadership(KubernetesClient client, String namespace, String lease, String identity) {
        this.client = client;
        this.namespace = namespace;
        this.lease = lease;
        this.identity = identity;
    }

    @Override
    public void ensure() {
        var holder = holder();
        if (!identity.equals(holder)) {
            throw new IllegalStateException("this operator (" + identity + ") does not lead: the Lease " + namespace
                    + "/" + lease + " is held by " + holder);
        }
    }

    /** Gives the Lease back if this process holds it. When that fails it runs out by itself. */
    public void release() {
        try {
            client.leases().inNamespace(namespace).withName(lease).edit(found -> {
                if (found != null && identity.equals(found.getSpec().getHolderIdentity())) {
                    found.getSpec().setHolderIdentity("");
                }
                return found;
            });
        } catch (KubernetesClientException e) {
            log.warn("the Lease could not be given back and runs out by itself: {}", e.getMessage());
        }
    }

    private String holder() {
        try {
            var found = client.leases().inNamespace(namespace).withName(lease).get();
            var spec = found == null ? null : found.getSpec();
            var holder = spec == null ? null : spec.getHolderIdentity();
            return holder == null ? "nobody" : holder;
        } catch (KubernetesClientException e) {
            throw new IllegalStateException("it can't be told whether this operator leads: " + e.getMessage(), e);
        }
    }
}
