package dev.shardwright.operator.mapping;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@code kubectl describe} shows below a resource. */
public final class Events {
    private static final Logger log = LoggerFactory.getLogger(Events.class);
    private static final int LONGEST = 1_000;

    private final KubernetesClient client;
    private final Clock clock;

    public Events(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Tells it; that an event could not be written is no reason to stop. */
    public void tell(HasMetadata about, boolean warning, String reason, String message) {
        var metadata = about.getMetadata();
        var now = Instant.now(clock);
        var event = new EventBuilder()
                .withNewMetadata()
                .withName(metadata.getName() + "." + Long.toHexString(now.toEpochMilli())
                        + Integer.toHexString(reason.hashCode()).toLowerCase(Locale.ROOT))
                .withNamespace(metadata.getNamespace())
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion(about.getApiVersion())
                .withKind(about.getKind())
                .withName(metadata.getName())
                .withNamespace(metadata.getNamespace())
                .withUid(metadata.getUid())
                .endInvolvedObject()
                .withType(warning ? "Warning" : "Normal")
                .withReason(reason)
                .withMessage(message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "...")
                .withNewSource()
                .withComponent("shardwright")
                .endSource()
                .withFirstTimestamp(now.toString())
                .withLastTimestamp(now.toString())
                .withCount(1)
                .build();
        try {
            client.resource(event).create();
        } catch (KubernetesClientException e) {
            log.warn("the event {} about {} was not written: {}", reason, metadata.getName(), e.getMessage());
        }
    }
}
