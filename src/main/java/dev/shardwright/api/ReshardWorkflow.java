package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** A split or a merge of shards, online. */
@JsonClassDescription(
        "Splits a shard into several or merges several into one, while applications go on reading and writing.")
@Group(Keyspace.GROUP)
@Version(Keyspace.VERSION)
@ShortNames("rw")
@ValidationRule(
        value = "size(self.metadata.name) <= 52",
        message = "metadata.name becomes part of the movers' names: use at most 52 characters")
@ValidationRule(
        value =
                "oldSelf.spec.goal != 'Completed' || self.spec.goal == 'Completed'"
                        + " || !has(self.status) || !has(self.status.phase) || !(self.status.phase in ['Retiring', 'Completed'])",
        message = "goal can't change any more: the workflow is retiring the old shards or has done so;"
                + " use a new ReshardWorkflow to move the data again")
@AdditionalPrinterColumn(name = "Keyspace", jsonPath = ".spec.keyspace", priority = 1)
@AdditionalPrinterColumn(name = "Shards", jsonPath = ".status.shards")
@AdditionalPrinterColumn(name = "Goal", jsonPath = ".spec.goal", priority = 1)
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Progress", jsonPath = ".status.progress")
@AdditionalPrinterColumn(name = "Lag", jsonPath = ".status.lag")
@AdditionalPrinterColumn(name = "Status", jsonPath = ".status.conditions[?(@.type==\"Succeeded\")].message")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public class ReshardWorkflow extends CustomResource<ReshardWorkflowSpec, ReshardWorkflowStatus> implements Namespaced {}
