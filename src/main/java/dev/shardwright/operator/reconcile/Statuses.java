package dev.shardwright.operator.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How statuses are written. */
final class Statuses {
    private Statuses() {}

    /** A status that says the same is not written again. */
    static boolean same(@Nullable Object before, Object now) {
        return Objects.equals(before, now);
    }

    /** What a server-side apply of a status needs, and nothing that it could change. */
    static ObjectMeta identity(HasMetadata resource) {
        return new ObjectMetaBuilder()
                .withName(resource.getMetadata().getName())
                .withNamespace(resource.getMetadata().getNamespace())
                .build();
    }
}
