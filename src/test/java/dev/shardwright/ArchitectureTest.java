package dev.shardwright;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;

/** The arrows of ARCHITECTURE.md: which package may use which. */
@AnalyzeClasses(packages = "dev.shardwright", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule OPERATOR = uses("operator", "reshard", "mysql.admin", "mysql.server", "topology", "api");

    @ArchTest
    static final ArchRule LOCAL = uses("local", "reshard", "router", "topology", "mysql", "api");

    @ArchTest
    static final ArchRule ROUTER = uses("router", "topology", "mysql.wire", "api");

    @ArchTest
    static final ArchRule RESHARD = uses("reshard", "topology", "mysql", "api");

    @ArchTest
    static final ArchRule TOPOLOGY = uses("topology", "api");

    @ArchTest
    static final ArchRule MYSQL = uses("mysql");

    @ArchTest
    static final ArchRule API = uses("api");

    @ArchTest
    static final ArchRule OTHERS_KNOW_ONLY_THE_VSCHEMA_OF_THE_API = classes()
            .that()
            .resideInAnyPackage("dev.shardwright.router..", "dev.shardwright.reshard..", "dev.shardwright.topology..")
            .should()
            .onlyDependOnClassesThat(resideOutsideOfPackage("dev.shardwright.api..")
                    .or(com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching(
                            "dev\\.shardwright\\.api\\.VSchema.*")));

    @ArchTest
    static final ArchRule ONLY_OPERATOR_STORE_AND_APP_SEE_KUBERNETES = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.shardwright.router..",
                    "dev.shardwright.reshard..",
                    "dev.shardwright.mysql..",
                    "dev.shardwright.local..",
                    "dev.shardwright.topology.model..",
                    "dev.shardwright.topology.keyrange..",
                    "dev.shardwright.topology.vindex..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.fabric8..");

    @ArchTest
    static final ArchRule TOPOLOGY_DOES_IO_IN_ITS_STORE_ONLY = noClasses()
            .that(resideInAPackage("dev.shardwright.topology..")
                    .and(resideOutsideOfPackage("dev.shardwright.topology.store..")))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io", "java.nio.file..", "java.nio.channels..", "java.net..", "java.sql..");

    @ArchTest
    static final ArchRule NO_JDBC_ON_THE_QUERY_PATH = noClasses()
            .that()
            .resideInAPackage("dev.shardwright.router..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "com.mysql..", "com.zaxxer..");

    @ArchTest
    static final ArchRule THE_OPERATOR_SEES_NO_PACKET = noClasses()
            .that()
            .resideInAPackage("dev.shardwright.operator..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "dev.shardwright.mysql.wire..", "dev.shardwright.mysql.binlog..");

    /** Classes of {@code from} use nothing of ours but {@code from} itself and {@code to}. */
    private static ArchRule uses(String from, String... to) {
        var allowed = new ArrayList<>(List.of("dev.shardwright." + from + ".."));
        List.of(to).forEach(name -> allowed.add("dev.shardwright." + name + ".."));
        return classes()
                .that()
                .resideInAPackage("dev.shardwright." + from + "..")
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage("dev.shardwright..")
                        .or(resideInAnyPackage(allowed.toArray(String[]::new))))
                .allowEmptyShould(true);
    }
}
