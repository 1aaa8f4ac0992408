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

/** A sharded MySQL database: the only resource that users edit day to day. */
@JsonClassDescription(
        "A sharded MySQL database: MySQL servers for its shards, and routers that make them look like one server.")
@Group(Keyspace.GROUP)
@Version(Keyspace.VERSION)
@ShortNames("ks")
@ValidationRule(
        value = "size(self.metadata.name) <= 26 && self.metadata.name.matches('^[a-z]([a-z0-9-]*[a-z0-9])?$')",
        message = "metadata.name also names the database, the Service and the shards: use at most 26 characters,"
                + " a-z, 0-9 and '-', beginning with a letter and without a dot")
@ValidationRule(
        value = "!(self.metadata.name in ['mysql', 'sys'])",
        message = "metadata.name also names the database, and MySQL has a database of that name: choose another")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(name = "Shards", jsonPath = ".status.shards")
@AdditionalPrinterColumn(name = "Routers", jsonPath = ".status.routers")
@AdditionalPrinterColumn(name = "Epoch", jsonPath = ".status.epoch", type = Type.INTEGER, priority = 1)
@AdditionalPrinterColumn(name = "Endpoint", jsonPath = ".status.endpoint", priority = 1)
@AdditionalPrinterColumn(name = "Status", jsonPath = ".status.conditions[?(@.type==\"Ready\")].message")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public class Keyspace extends CustomResource<KeyspaceSpec, KeyspaceStatus> implements Namespaced {
    public static final String GROUP = "shardwright.dev";
    public static final String VERSION = "v1alpha1";
}
