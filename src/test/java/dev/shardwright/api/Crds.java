package dev.shardwright.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;

/** Makes the CRDs from the Java types, and adds what the generator's annotations cannot say. */
final class Crds {
    static final List<Class<? extends CustomResource<?, ?>>> TYPES =
            List.of(Keyspace.class, Shard.class, ReshardWorkflow.class);

    private Crds() {}

    /** The type's CRD as YAML, as it is kept in crds/. */
    static String yaml(Class<? extends CustomResource<?, ?>> type, Path scratch) {
        new CRDGenerator()
                .inOutputDir(scratch.toFile())
                .forCRDVersions("v1")
                .customResourceClasses(type)
                .generate();
        try {
            var file = scratch.resolve(HasMetadata.getFullResourceName(type) + "-v1.yml");
            var crd = Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
            crd.getSpec().getVersions().forEach(version -> complete(version, type));
            return "# Generated from dev.shardwright.api." + type.getSimpleName() + " by `make crds`; do not edit.\n"
                    + Serialization.asYaml(crd);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void complete(CustomResourceDefinitionVersion version, Class<?> type) {
        var columns = Stream.of(type.getAnnotationsByType(AdditionalPrinterColumn.class))
                .map(AdditionalPrinterColumn::name)
                .toList();
        version.getAdditionalPrinterColumns().sort(Comparator.comparing(column -> columns.indexOf(column.getName())));
        var schema = version.getSchema().getOpenAPIV3Schema();
        schema.setDescription(type.getAnnotation(JsonClassDescription.class).value());
        schema.setRequired(List.of("spec"));
        complete(schema);
    }

    private static void complete(JSONSchemaProps schema) {
        // A record's rules are found twice, on its field and on its accessor.
        schema.setXKubernetesValidations(new ArrayList<>(new LinkedHashSet<>(schema.getXKubernetesValidations())));
        if (schema.getItems() != null && schema.getItems().getSchema() != null) {
            keyBy(schema, schema.getItems().getSchema());
            complete(schema.getItems().getSchema());
        }
        schema.getProperties().values().forEach(Crds::complete);
    }

    /** Lists of named things are merged by name, so that two editors of one list don't lose each other's items. */
    private static void keyBy(JSONSchemaProps list, JSONSchemaProps item) {
        Stream.of("name", "type")
                .filter(item.getRequired()::contains)
                .findFirst()
                .ifPresent(key -> {
                    list.setXKubernetesListType("map");
                    list.setXKubernetesListMapKeys(List.of(key));
                });
    }
}
