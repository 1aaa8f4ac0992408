package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** One shard's MySQL server. Made by the operator; read-only to users. */
@JsonClassDescription("One shard's MySQL server. Made and kept by the operator; read-only to users.")
@Group(Keyspace.GROUP)
@Version(Keyspace.VERSION)
@ShortNames("sh")
@AdditionalPrinterColumn(name = "Keyspace", jsonPath = ".spec.keyspace")
@AdditionalPrinterColumn(name = "Range", jsonPath = ".spec.range")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(name = "State", jsonPath = ".status.state")
@AdditionalPrinterColumn(name = "Status", jsonPath = ".status.conditions[?(@.type==\"Ready\")].message")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public class Shard extends CustomResource<ShardSpec, ShardStatus> implements Namespaced {}
