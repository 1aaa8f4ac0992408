package dev.shardwright.topology.vindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VindexVectorsTest {

    static Stream<Arguments> vectors() throws IOException {
        try (var in = VindexVectorsTest.class.getResourceAsStream("/vindex/vectors.json")) {
            var all = new ObjectMapper().readTree(in);
            var arguments = new ArrayList<Arguments>();
            for (var type : Vindexes.names()) {
                for (var vector : all.get(type).get("vectors")) {
                    arguments.add(Arguments.of(type, text(vector.get(0)), text(vector.get(1))));
                }
            }
            return arguments.stream();
        }
    }

    private static @Nullable String text(JsonNode node) {
        return node.isNull() ? null : node.asText();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void mapsAsVitessDoes(String type, @Nullable String input, @Nullable String keyspaceId) {
        var id = Vindexes.of(type).keyspaceId(Collections.singletonList(value(input)));

        assertThat(id == null ? null : HexFormat.of().formatHex(id)).isEqualTo(keyspaceId);
    }

    private static @Nullable ShardKeyValue value(@Nullable String input) {
        if (input == null) {
            return null;
        }
        return input.matches("-?[0-9]+")
                ? new ShardKeyValue.Int(new BigInteger(input))
                : new ShardKeyValue.Bytes(input.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void thereAreVectorsOfEveryType() throws IOException {
        assertThat(vectors().map(arguments -> arguments.get()[0]).distinct())
                .containsExactlyElementsOf(Vindexes.names());
    }

    @Test
    void numericAndReverseBitsHaveNoPlaceForNegativeNumbers() {
        for (var type : List.of("numeric", "reverse_bits")) {
            assertThat(Vindexes.of(type).keyspaceId(List.of(ShardKeyValue.Int.of(-1))))
                    .isNull();
        }
    }

    @Test
    void anUnknownTypeIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Vindexes.of("md5"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("binary, binary_md5, hash, numeric, reverse_bits, xxhash");
    }

    @Test
    void theWrongNumberOfValuesIsRefused() {
        assertThatThrownBy(() -> Vindexes.of("xxhash").keyspaceId(Arrays.asList(null, null)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void hashIsTheSameFromManyThreads() {
        var vindex = Vindexes.of("hash");
        var expected = vindex.keyspaceId(List.of(ShardKeyValue.Int.of(7)));

        assertThat(Stream.generate(() -> 7L)
                        .limit(20_000)
                        .parallel()
                        .map(n -> vindex.keyspaceId(List.of(ShardKeyValue.Int.of(n))))
                        .allMatch(id -> Arrays.equals(id, expected)))
                .isTrue();
    }
}
