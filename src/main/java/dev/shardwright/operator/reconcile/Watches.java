package dev.shardwright.operator.reconcile;

import dev.shardwright.operator.desired.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.Set;

/** Watches of our own objects, which find their primary resource by a label. */
final class Watches {
    private Watches() {}

    /**
     * Watches objects of one kind.
     *
     * @param selector which of them
     * @param label the label that holds the primary resource's name
     */
    static <R extends HasMetadata, P extends HasMetadata> EventSource<R, P> of(
            EventSourceContext<P> context, Class<R> kind, String selector, String label) {
        var configuration = InformerEventSourceConfiguration.from(kind, context.getPrimaryResourceClass())
                .withLabelSelector(selector)
                .withSecondaryToPrimaryMapper(object -> primary(object, label))
                .build();
        return new InformerEventSource<>(configuration, context);
    }

    static String component(String component) {
        return Labels.OURS + "," + Labels.COMPONENT + "=" + component;
    }

    private static Set<ResourceID> primary(HasMetadata object, String label) {
        var labels = object.getMetadata().getLabels();
        var name = labels == null ? null : labels.get(label);
        return name == null
                ? Set.of()
                : Set.of(new ResourceID(name, object.getMetadata().getNamespace()));
    }
}
