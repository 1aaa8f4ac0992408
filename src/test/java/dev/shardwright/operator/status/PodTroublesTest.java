package dev.shardwright.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodTroublesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {containerStatuses: [{name: mysql, image: 'x:1', state: {waiting: {reason: ImagePullBackOff, message: not found}}}]} | ImageNotPulled | image x:1 of pod p cannot be pulled: not found
                    {initContainerStatuses: [{name: initialize, image: 'x:1', state: {waiting: {reason: ErrImagePull}}}]} | ImageNotPulled | image x:1 of pod p cannot be pulled
                    {containerStatuses: [{name: mysql, image: 'x:1', state: {waiting: {reason: CrashLoopBackOff}}}]} | ContainerFails | kubectl logs p -c mysql --previous
                    {containerStatuses: [{name: router, image: 'x:1', state: {waiting: {reason: CreateContainerConfigError, message: secret s not found}}}]} | ContainerNotMade | secret s not found
                    {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: pod has unbound immediate PersistentVolumeClaims}]} | VolumeNotBound | the volume of pod p cannot be bound
                    {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: 0/2 nodes are available (2 Insufficient memory)}]} | Unschedulable | pod p cannot be scheduled: 0/2 nodes
                    """)
    void troubleIsNamed(String status, String reason, String words) {
        assertThat(PodTroubles.of(List.of(pod(status)))).hasValueSatisfying(problem -> {
            assertThat(problem.reason()).isEqualTo(reason);
            assertThat(problem.message()).contains(words);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}",
                "{containerStatuses: [{name: mysql, image: 'x:1', state: {waiting: {reason: PodInitializing}}}]}",
                "{containerStatuses: [{name: mysql, image: 'x:1', state: {running: {}}}]}"
            })
    void anOrdinaryStartIsNoTrouble(String status) {
        assertThat(PodTroubles.of(List.of(pod(status)))).isEmpty();
    }

    private static Pod pod(String status) {
        return Serialization.unmarshal("metadata: {name: p}\nstatus: " + status, Pod.class);
    }
}
