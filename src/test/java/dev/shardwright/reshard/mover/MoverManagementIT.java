package dev.shardwright.reshard.mover;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.api.VSchema;
import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.reshard.copy.ThrottleLimits;
import dev.shardwright.topology.keyrange.KeyRange;
import dev.shardwright.topology.model.Endpoint;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;

class MoverManagementIT {

    @Test
    void aMoverSaysHowFarItIs() throws Exception {
        var peer = new MoverSpec.Peer("u", KeyRange.parse("-"), new Endpoint("127.0.0.1", 1));
        var spec = new MoverSpec(
                "w",
                "n",
                "chat",
                "w/u",
                7,
                peer,
                List.of(peer),
                new VSchema(null, null, null),
                null,
                ThrottleLimits.DEFAULT);
        var json = new ObjectMapper();
        assertThat(json.readValue(json.writeValueAsBytes(spec), MoverSpec.class))
                .isEqualTo(spec);

        try (var mover = new Mover(spec, new MysqlAccount("a", "b"));
                var server = MoverManagement.start(new InetSocketAddress("127.0.0.1", 0), mover);
                var client = HttpClient.newHttpClient()) {
            assertThat(json.readValue(get(client, server, "/progress"), MoverProgress.class))
                    .isEqualTo(mover.progress());
            assertThat(get(client, server, "/progress"))
                    .contains("\"stream\":\"" + mover.spec().stream() + "\"", "\"token\":7", "\"stage\":\"Starting\"");
            assertThat(get(client, server, "/metrics"))
                    .contains("shardwright_mover_lag_seconds -1.0\n")
                    .contains("shardwright_mover_speed_ratio 1.0\n", "shardwright_mover_verify_bytes_total 0\n")
                    .contains("shardwright_mover_slowed{reason=\"CommitLatency\"} 0\n");
            assertThat(get(client, server, "/healthz")).isEqualTo("ok\n");
        }
    }

    private static String get(HttpClient client, MoverManagement server, String path) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }
}
