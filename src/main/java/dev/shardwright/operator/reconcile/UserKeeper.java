package dev.shardwright.operator.reconcile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.api.Keyspace;
import dev.shardwright.api.KeyspaceSpec.UserSpec;
import dev.shardwright.mysql.admin.AppUser;
import dev.shardwright.operator.desired.Names;
import dev.shardwright.operator.desired.RouterObjects;
import dev.shardwright.operator.mapping.World;
import dev.shardwright.operator.status.Problem;
import dev.shardwright.topology.model.Endpoint;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Keeps the applications' users the same on all servers of a keyspace. */
final class UserKeeper {
    private static final Duration AGAIN = Duration.ofMinutes(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubernetesClient client;
    private final Clock clock;
    /** By shard uid. */
    private final Map<String, Done> done = new ConcurrentHashMap<>();

    private record Done(String hash, Instant at) {}

    /** A server that can take account statements. */
    record Server(String shard, String uid, Endpoint endpoint) {}

    UserKeeper(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Brings the servers in line; the first problem met, if any. The others are done all the same. */
    Optional<Problem> apply(Keyspace keyspace, World world, List<AppUser> users, List<Server> servers) {
        var removed = removed(keyspace);
        var hash =
                Names.hash(json(users) + users.stream().map(AppUser::privileges).toList() + removed);
        return servers.stream()
                .filter(server -> isDue(server.uid(), hash))
                .map(server -> apply(keyspace, world, users, removed, server, hash))
                .flatMap(Optional::stream)
                .toList()
                .stream()
                .findFirst();
    }

    /** The routers' file: user to password. */
    static String json(List<AppUser> users) {
        try {
            return JSON.writeValueAsString(users.stream()
                    .collect(Collectors.toMap(AppUser::name, AppUser::password, (a, b) -> b, TreeMap::new)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts can always be written as JSON", e);
        }
    }

    private boolean isDue(String uid, String hash) {
        var before = done.get(uid);
        return before == null
                || !before.hash.equals(hash)
                || before.at.plus(AGAIN).isBefore(Instant.now(clock));
    }

    private Optional<Problem> apply(
            Keyspace keyspace, World world, List<AppUser> users, Set<String> removed, Server server, String hash) {
        try (var admin = world.admins().open(server.uid(), server.endpoint())) {
            if (admin.fence().superReadOnly()) {
                return Optional.empty();
            }
            var accounts = new dev.shardwright.mysql.admin.Users(
                    admin.connection(), keyspace.getMetadata().getName());
            for (var user : users) {
                accounts.ensure(user);
            }
            for (var user : removed) {
                accounts.drop(user);
            }
            done.put(server.uid(), new Done(hash, Instant.now(clock)));
            return Optional.empty();
        } catch (SQLException e) {
            return Optional.of(new Problem(
                    "UsersNotApplied",
                    "the users could not be set on shard " + server.shard() + ": " + e.getMessage()));
        }
    }

    /** Those that the routers still know and the keyspace does not. */
    private Set<String> removed(Keyspace keyspace) {
        var secret = client.secrets()
                .inNamespace(keyspace.getMetadata().getNamespace())
                .withName(Names.routerUsers(keyspace.getMetadata().getName()))
                .get();
        if (secret == null || secret.getData() == null) {
            return Set.of();
        }
        var names = new TreeSet<>(names(secret.getData().get(RouterObjects.USERS_JSON)));
        names.removeAll(keyspace.getSpec().users().stream().map(UserSpec::name).toList());
        return names;
    }

    private static Set<String> names(@org.jspecify.annotations.Nullable String encoded) {
        try {
            return encoded == null
                    ? Set.of()
                    : JSON.readValue(
                                    new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8),
                                    new TypeReference<Map<String, String>>() {})
                            .keySet();
        } catch (JsonProcessingException | IllegalArgumentException e) {
            // Spoilt by hand; it is written anew.
            return Set.of();
        }
    }
}
