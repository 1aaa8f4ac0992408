package dev.shardwright.operator.status;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What keeps pods from running, in words for people. */
public final class PodTroubles {
    private static final Set<String> PULLING =
            Set.of("ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable");
    private static final Set<String> CONFIGURING = Set.of("CreateContainerConfigError", "CreateContainerError");

    private static final int LONGEST = 120;

    private PodTroubles() {}

    /** The first trouble of these pods; empty when they run or are just starting. */
    public static Optional<Problem> of(Collection<Pod> pods) {
        return pods.stream().flatMap(pod -> of(pod).stream()).findFirst();
    }

    private static Optional<Problem> of(Pod pod) {
        var name = pod.getMetadata().getName();
        return Stream.concat(
                        unscheduled(pod, name).stream(),
                        containers(pod).flatMap(container -> waiting(name, container).stream()))
                .findFirst();
    }

    private static Optional<Problem> unscheduled(Pod pod, String name) {
        return conditions(pod)
                .filter(condition -> condition.getType().equals("PodScheduled")
                        && condition.getStatus().equals("False")
                        && condition.getMessage() != null)
                .map(condition -> unscheduled(name, condition.getMessage()))
                .findFirst();
    }

    private static Problem unscheduled(String pod, String message) {
        var lower = message.toLowerCase(Locale.ROOT);
        boolean volume = lower.contains("persistent volume") || lower.contains("persistentvolumeclaim");
        return volume
                ? new Problem(
                        "VolumeNotBound",
                        "the volume of pod " + pod + " cannot be bound: " + message
                                + " (provide a volume, or correct spec.mysql.storage of the Keyspace)")
                : new Problem(
                        "Unschedulable",
                        "pod " + pod + " cannot be scheduled: " + message
                                + " (add nodes, or ask for less in the Keyspace)");
    }

    private static Optional<Problem> waiting(String pod, ContainerStatus container) {
        var waiting = container.getState() == null ? null : container.getState().getWaiting();
        if (waiting == null || waiting.getReason() == null) {
            return Optional.empty();
        }
        var where = "container " + container.getName() + " of pod " + pod;
        if (PULLING.contains(waiting.getReason())) {
            return Optional.of(new Problem(
                    "ImageNotPulled",
                    "image " + container.getImage() + " of pod " + pod + " cannot be pulled" + words(waiting)
                            + " (correct the image's name, or let the nodes reach its registry)"));
        }
        if (CONFIGURING.contains(waiting.getReason())) {
            return Optional.of(new Problem("ContainerNotMade", where + " cannot be made" + words(waiting)));
        }
        return waiting.getReason().equals("CrashLoopBackOff")
                ? Optional.of(new Problem(
                        "ContainerFails",
                        where + " ends again and again; see why with: kubectl logs " + pod + " -c "
                                + container.getName() + " --previous"))
                : Optional.empty();
    }

    /** Container runtimes say everything three times. */
    private static String words(ContainerStateWaiting waiting) {
        var message = waiting.getMessage();
        if (message == null) {
            return "";
        }
        return ": " + (message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "...");
    }

    private static Stream<PodCondition> conditions(Pod pod) {
        var status = pod.getStatus();
        return status == null || status.getConditions() == null ? Stream.of() : status.getConditions().stream();
    }

    private static Stream<ContainerStatus> containers(Pod pod) {
        var status = pod.getStatus();
        return status == null
                ? Stream.of()
                : Stream.concat(
                        orEmpty(status.getInitContainerStatuses()).stream(),
                        orEmpty(status.getContainerStatuses()).stream());
    }

    private static List<ContainerStatus> orEmpty(@org.jspecify.annotations.Nullable List<ContainerStatus> statuses) {
        return statuses == null ? List.of() : statuses;
    }
}
