package dev.shardwright.operator.reconcile;

import dev.shardwright.operator.desired.Runtime;
import dev.shardwright.operator.mapping.Applier;
import dev.shardwright.operator.mapping.Credentials;
import dev.shardwright.operator.mapping.Worlds;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;

/** What the reconcilers share. */
public record OperatorParts(
        KubernetesClient client,
        Worlds worlds,
        Credentials credentials,
        Applier applier,
        Runtime runtime,
        Clock clock) {}
