package dev.shardwright.topology.keyrange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRangeTest {

    @ParameterizedTest
    @ValueSource(strings = {"-", "-40", "40-80", "c0-", "4001-4002", "00000001-", "01-ffffffff"})
    void isWrittenAsItIsRead(String text) {
        assertThat(KeyRange.parse(text)).hasToString(text).isEqualTo(KeyRange.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "'',not a key range",
        "40,not a key range",
        "4-8,not a key range",
        "C0-,not a key range",
        "0000000001-,not a key range",
        "40-80-c0,not a key range",
        "40-4000,trailing 00",
        "00-,trailing 00",
        "80-40,is empty",
        "40-40,is empty"
    })
    void saysWhatIsWrong(String text, String problem) {
        assertThatThrownBy(() -> KeyRange.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource({
        "40-80,40,true",
        "40-80,3fffffffffffffff,false",
        "40-80,4000000000000000,true",
        "40-80,7fffffffffffffff,true",
        "40-80,80,false",
        "40-80,8000000000000000,false",
        "-80,'',true",
        "-80,00,true",
        "80-,ff,true",
        "80-,'',false",
        "-,'',true",
        "-,ffffffffffffffffffff,true",
        "4001-4002,4001ff,true",
        "4001-4002,40,false"
    })
    void containsItsStartAndNotItsEnd(String range, String id, boolean contained) {
        assertThat(KeyRange.parse(range).contains(HexFormat.of().parseHex(id))).isEqualTo(contained);
    }

    @Test
    void everyIdIsInExactlyOneOfARow() {
        var row = List.of("-24", "24-49", "49-6d", "6d-92", "92-b6", "b6-db", "db-").stream()
                .map(KeyRange::parse)
                .toList();
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second += 51) {
                var id = new byte[] {(byte) first, (byte) second};
                assertThat(row).filteredOn(range -> range.contains(id)).hasSize(1);
            }
        }
    }

    @Test
    void neighboursMeetAndDoNotOverlap() {
        var low = KeyRange.parse("-40");
        var high = KeyRange.parse("40-");

        assertThat(low.meets(high)).isTrue();
        assertThat(high.meets(low)).isFalse();
        assertThat(low.overlaps(high)).isFalse();
        assertThat(KeyRange.parse("-").overlaps(low)).isTrue();
        assertThat(KeyRange.parse("20-60").overlaps(low)).isTrue();
        assertThat(KeyRange.parse("40-60").overlaps(KeyRange.parse("60-"))).isFalse();
    }

    @Test
    void hasAFormForKubernetesNames() {
        assertThat(KeyRange.parse("-40").inName()).isEqualTo("x-40");
        assertThat(KeyRange.parse("c0-").inName()).isEqualTo("c0-x");
        assertThat(KeyRange.parse("-").inName()).isEqualTo("x-x");
    }
}
