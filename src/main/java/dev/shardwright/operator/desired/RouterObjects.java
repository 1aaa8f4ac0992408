package dev.shardwright.operator.desired;

import dev.shardwright.api.Keyspace;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.List;
import java.util.Map;

/** The Kubernetes objects of a keyspace's routers. */
public final class RouterObjects {
    public static final int MYSQL_PORT = 3306;
    public static final int MANAGEMENT_PORT = 8080;
    /** The key in the Secret of the routers' users. */
    public static final String USERS_JSON = "users.json";

    private final Keyspace keyspace;
    private final Runtime runtime;
    private final String name;
    private final String routerName;
    private final Map<String, String> labels;

    private RouterObjects(Keyspace keyspace, Runtime runtime) {
        this.keyspace = keyspace;
        this.runtime = runtime;
        this.name = keyspace.getMetadata().getName();
        this.routerName = Names.router(name);
        this.labels = Labels.router(name);
    }

    /** All objects but the Secret of {@link #users}. */
    public static List<HasMetadata> of(Keyspace keyspace, Runtime runtime) {
        var objects = new RouterObjects(keyspace, runtime);
        return List.of(
                objects.serviceAccount(),
                objects.role(),
                objects.roleBinding(),
                objects.service(),
                objects.deployment(),
                objects.disruptionBudget());
    }

    /** The users that may log in at the routers. */
    public static Secret users(Keyspace keyspace, String usersJson) {
        var name = keyspace.getMetadata().getName();
        return new SecretBuilder()
                .withMetadata(Owned.by(keyspace, Names.routerUsers(name), Labels.router(name)))
                .addToStringData(USERS_JSON, usersJson)
                .build();
    }

    /** Whether these routers connect to servers by TLS only. */
    public static boolean checksServers(Deployment routers) {
        return RouterPod.checksServers(routers.getSpec().getTemplate());
    }

    private ObjectMeta metadata(String objectName) {
        return Owned.by(keyspace, objectName, labels);
    }

    private ServiceAccount serviceAccount() {
        return new ServiceAccountBuilder()
                .withMetadata(metadata(routerName))
                .withAutomountServiceAccountToken(false)
                .build();
    }

    /** The routers read one ConfigMap and nothing else. */
    private Role role() {
        return new RoleBuilder()
                .withMetadata(metadata(routerName))
                .addNewRule()
                .withApiGroups("")
                .withResources("configmaps")
                .withResourceNames(Names.topology(name))
                // list: with a field selector on the name it is how a watch begins.
                .withVerbs("get", "list", "watch")
                .endRule()
                .build();
    }

    private RoleBinding roleBinding() {
        return new RoleBindingBuilder()
                .withMetadata(metadata(routerName))
                .withNewRoleRef("rbac.authorization.k8s.io", "Role", routerName)
                .addNewSubject()
                .withKind("ServiceAccount")
                .withName(routerName)
                .withNamespace(keyspace.getMetadata().getNamespace())
                .endSubject()
                .build();
    }

    private Service service() {
        return new ServiceBuilder()
                .withMetadata(metadata(name))
                .withNewSpec()
                .withType(keyspace.getSpec().router().service().type().name())
                .withSelector(Labels.routerSelector(name))
                .addNewPort()
                .withName("mysql")
                .withPort(MYSQL_PORT)
                .withTargetPort(new IntOrString("mysql"))
                .endPort()
                .endSpec()
                .build();
    }

    private Deployment deployment() {
        return new DeploymentBuilder()
                .withMetadata(metadata(routerName))
                .withNewSpec()
                .withReplicas(keyspace.getSpec().router().replicas())
                .withNewSelector()
                .withMatchLabels(Labels.routerSelector(name))
                .endSelector()
                .withNewStrategy()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withMaxUnavailable(new IntOrString(0))
                .withMaxSurge(new IntOrString(1))
                .endRollingUpdate()
                .endStrategy()
                .withTemplate(RouterPod.template(keyspace, runtime, labels))
                .endSpec()
                .build();
    }

    private PodDisruptionBudget disruptionBudget() {
        return new PodDisruptionBudgetBuilder()
                .withMetadata(metadata(routerName))
                .withNewSpec()
                .withMaxUnavailable(new IntOrString(1))
                .withNewSelector()
                .withMatchLabels(Labels.routerSelector(name))
                .endSelector()
                .endSpec()
                .build();
    }
}
