package dev.shardwright.operator.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The secondary resources of a reconciliation, as the watches saw them last. */
final class Observed {
    private final Map<String, HasMetadata> byKey = new HashMap<>();
    private final Context<?> context;

    private Observed(Context<?> context) {
        this.context = context;
    }

    static Observed of(Context<?> context, List<Class<? extends HasMetadata>> kinds) {
        var observed = new Observed(context);
        kinds.forEach(kind -> context.getSecondaryResources(kind)
                .forEach(object -> observed.byKey.put(key(HasMetadata.getKind(kind), object), object)));
        return observed;
    }

    /** The same object as it is now; empty when no watch knows of it. */
    Optional<HasMetadata> live(HasMetadata desired) {
        return Optional.ofNullable(byKey.get(key(desired.getKind(), desired)));
    }

    <T extends HasMetadata> List<T> all(Class<T> kind) {
        return List.copyOf(context.getSecondaryResources(kind));
    }

    private static String key(String kind, HasMetadata object) {
        return kind + "/" + object.getMetadata().getName();
    }
}
