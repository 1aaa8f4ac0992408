package dev.shardwright.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GtidSetTest {
    private static final String A = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final String B = "4e11fa47-71ca-11e1-9e33-c80aa9429562";

    @Test
    void textIsReadAndWrittenAsMysqlDoes() {
        assertThat(GtidSet.parse("").toString()).isEmpty();
        assertThat(GtidSet.parse(A.toUpperCase(java.util.Locale.ROOT) + ":1-3:5:4,\n" + B + ":7")
                        .toString())
                .isEqualTo(A + ":1-5," + B + ":7");
        assertThat(GtidSet.parse(A + ":1-2:tag:4-5:9").toString()).isEqualTo(A + ":1-2," + A + ":tag:4-5:9");
        assertThatThrownBy(() -> GtidSet.parse("nonsense")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GtidSet.parse(A + ":5-3")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sourcesAndTagsAreApart() {
        var set = GtidSet.parse(A + ":1-5");
        assertThat(set.contains(new Gtid(A, 5))).isTrue();
        assertThat(set.contains(new Gtid(B, 5))).isFalse();
        assertThat(set.contains(new Gtid(A + ":tag", 5))).isFalse();
        assertThat(set.containsAll(GtidSet.parse(A + ":2-3"))).isTrue();
        assertThat(set.containsAll(GtidSet.parse(A + ":5-6"))).isFalse();
        assertThat(GtidSet.parse(A + ":1-5," + B + ":1")
                        .intersect(GtidSet.parse(A + ":4-9"))
                        .toString())
                .isEqualTo(A + ":4-5");
    }

    @Test
    void itAgreesWithABitSet() {
        var random = new Random(1);
        for (int round = 0; round < 300; round++) {
            var one = new BitSet();
            var other = new BitSet();
            var set = fill(random, one);
            var its = fill(random, other);
            var both = (BitSet) one.clone();
            both.and(other);
            assertThat(set.intersect(its)).isEqualTo(of(both));
            assertThat(set.containsAll(its)).isEqualTo(both.equals(other));
            assertThat(GtidSet.parse(set.toString())).isEqualTo(set);
            var sum = set.copy();
            sum.addAll(its);
            one.or(other);
            assertThat(sum).isEqualTo(of(one));
        }
    }

    private static GtidSet fill(Random random, BitSet bits) {
        var set = new GtidSet();
        for (int i = random.nextInt(30); i >= 0; i--) {
            var number = 1 + random.nextInt(30);
            bits.set(number);
            set.add(new Gtid(A, number));
        }
        return set;
    }

    private static GtidSet of(BitSet bits) {
        var set = new GtidSet();
        bits.stream().forEach(number -> set.add(new Gtid(A, number)));
        return set;
    }
}
