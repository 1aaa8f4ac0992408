package dev.shardwright.operator.mapping;

import dev.shardwright.operator.desired.Names;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Brings objects to the desired state by server-side apply. An object that was applied in the same form a short
 * while ago, and that nobody has touched since, is not sent again: the API server is the scarce part.
 */
public final class Applier {
    public static final String FIELD_MANAGER = "shardwright";
    private static final Duration AGAIN = Duration.ofMinutes(5);
    private static final int REMEMBERED = 10_000;

    private final KubernetesClient client;
    private final Clock clock;
    private final Map<String, Applied> applied = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Applied> eldest) {
            return size() > REMEMBERED;
        }
    });

    private record Applied(String hash, String version, Instant at) {}

    public Applier(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * Applies one object. IllegalStateException when an object of that name belongs to somebody else.
     *
     * @param live it as a watch saw it last; empty when no watch knows of it
     */
    public void apply(HasMetadata desired, Optional<? extends HasMetadata> live) {
        var key = key(desired);
        var hash = Names.hash(Serialization.asJson(desired));
        var before = applied.get(key);
        if (before != null
                && before.hash.equals(hash)
                && fresh(before)
                && live.map(l -> version(l).equals(before.version)).orElse(false)) {
            return;
        }
        if (before == null || live.isEmpty()) {
            refuseForeign(desired, live);
        }
        var result = client.resource(desired)
                .fieldManager(FIELD_MANAGER)
                .forceConflicts()
                .serverSideApply();
        applied.put(key, new Applied(hash, version(result), Instant.now(clock)));
    }

    /** Applies objects that no watch follows: again only when they change, or after some minutes. */
    public void applyUnwatched(HasMetadata desired) {
        var before = applied.get(key(desired));
        if (before == null || !before.hash.equals(Names.hash(Serialization.asJson(desired))) || !fresh(before)) {
            apply(desired, Optional.empty());
        }
    }

    /** What somebody else made is never taken over. */
    private void refuseForeign(HasMetadata desired, Optional<? extends HasMetadata> live) {
        HasMetadata present =
                live.isPresent() ? live.get() : client.resource(desired).get();
        if (present == null || Objects.equals(controller(present), controller(desired))) {
            return;
        }
        throw new IllegalStateException(
                desired.getKind() + " " + desired.getMetadata().getName()
                        + " is there already and belongs to somebody else: rename or remove it, or choose another keyspace name");
    }

    private static @org.jspecify.annotations.Nullable String controller(HasMetadata object) {
        List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
        return owners == null
                ? null
                : owners.stream()
                        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                        .map(OwnerReference::getUid)
                        .findFirst()
                        .orElse(null);
    }

    private boolean fresh(Applied before) {
        return before.at.plus(AGAIN).isAfter(Instant.now(clock));
    }

    /** Changes when the specification does, not when a status does, as far as the kind can tell them apart. */
    private static String version(HasMetadata object) {
        var generation = object.getMetadata().getGeneration();
        return generation == null ? String.valueOf(object.getMetadata().getResourceVersion()) : "g" + generation;
    }

    private static String key(HasMetadata object) {
        return object.getKind() + "/" + object.getMetadata().getNamespace() + "/"
                + object.getMetadata().getName();
    }
}
