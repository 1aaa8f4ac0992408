package dev.shardwright.topology.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.topology.Topologies;
import dev.shardwright.topology.model.ShardState;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyJsonTest {
    private static final String GOOD = TopologyJson.write(Topologies.splitting(7));

    @Test
    void readsWhatItWrites() {
        for (var topology : new dev.shardwright.topology.model.Topology[] {
            Topologies.of(1, "-"),
            Topologies.splitting(7),
            Topologies.withShards(
                    Topologies.splitting(8),
                    Topologies.serving("-c0"),
                    Topologies.shard("c0-", ShardState.Fenced, "w1", 3))
        }) {
            assertThat(TopologyJson.read(TopologyJson.write(topology))).isEqualTo(topology);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0000',
            value = {
                "\"format\" : 1 | \"format\" : 2 | update Shardwright",
                "\"format\" : 1, |  | no format number",
                "\"epoch\" : 7 | \"epoch\" : \"x\" | epoch",
                "\"epoch\" : 7, |  | epoch",
                "\"epoch\" : 7 | \"epoch\" : 7.5 | epoch",
                "\"epoch\" : 7 | \"epoch\" : 7, \"epoch\" : 8 | Duplicate",
                "\"epoch\" : 7 | \"epoch\" : 7, \"epcoh\" : 8 | epcoh",
                "\"range\" : \"-c0\" | \"range\" : \"-c\" | not a key range",
                "\"range\" : \"-c0\" | \"range\" : \"-b0\" | a gap",
                "\"Serving\" | \"Sleeping\" | Sleeping",
                "\"type\" : \"xxhash\" | \"type\" : \"sha1\" | sha1"
            })
    void refusesWhatItDoesNotUnderstand(String part, String instead, String problem) {
        var broken = GOOD.replaceFirst(java.util.regex.Pattern.quote(part), instead == null ? "" : instead);

        assertThat(broken).isNotEqualTo(GOOD);
        assertThatThrownBy(() -> TopologyJson.read(broken))
                .isInstanceOf(TopologyFormatException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null", "[]", "1", "nonsense", "{", "{}", "{\"format\": null}", "{\"format\": 1}"})
    void refusesWhatIsNoDocument(String text) {
        assertThatThrownBy(() -> TopologyJson.read(text)).isInstanceOf(TopologyFormatException.class);
    }

    @Test
    void noBeginningOfADocumentPassesForOne() {
        var text = GOOD.strip();
        var accepted = new ArrayList<Integer>();
        for (int length = 0; length < text.length(); length++) {
            try {
                TopologyJson.read(text.substring(0, length));
                accepted.add(length);
            } catch (TopologyFormatException expected) {
                // as it should be
            }
        }
        assertThat(accepted).isEmpty();
    }

    @Test
    void refusesWhatFollowsADocument() {
        assertThatThrownBy(() -> TopologyJson.read(GOOD + "{}")).isInstanceOf(TopologyFormatException.class);
    }
}
