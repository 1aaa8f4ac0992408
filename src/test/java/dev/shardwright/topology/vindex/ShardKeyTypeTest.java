package dev.shardwright.topology.vindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.api.VSchema.ShardKeyColumn;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardKeyTypeTest {

    @ParameterizedTest
    @CsvSource({
        "tinyint,-128,127",
        "tinyint unsigned,0,255",
        "smallint,-32768,32767",
        "mediumint,-8388608,8388607",
        "mediumint unsigned,0,16777215",
        "int,-2147483648,2147483647",
        "int unsigned,0,4294967295",
        "bigint,-9223372036854775808,9223372036854775807",
        "bigint unsigned,0,18446744073709551615"
    })
    void integersHoldTheirRangeAndNothingElse(String type, BigInteger lowest, BigInteger highest) {
        var column = type(type, null);
        for (var inside : new BigInteger[] {lowest, highest}) {
            assertThat(column.stored(inside)).isEqualTo(new Conversion.Stored(new ShardKeyValue.Int(inside)));
            assertThat(column.equalTo(inside)).isEqualTo(new Comparison.Only(new ShardKeyValue.Int(inside)));
            assertThat(column.stored(utf8(inside.toString()), "utf8mb4")).isInstanceOf(Conversion.Stored.class);
        }
        for (var outside : new BigInteger[] {lowest.subtract(BigInteger.ONE), highest.add(BigInteger.ONE)}) {
            assertThat(column.stored(outside)).isInstanceOf(Conversion.WouldBend.class);
            assertThat(column.equalTo(outside)).isEqualTo(new Comparison.Nothing());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"5abc", "5.4", "5.0", "5e1", " 5", "5 ", "+5", "05", "-0", "", "0x5", "99999999999999999999999"})
    void aTextThatIsNoPlainNumberBendsInAnIntegerColumn(String text) {
        var column = type("bigint", null);

        assertThat(column.stored(utf8(text), "utf8mb4")).isInstanceOf(Conversion.WouldBend.class);
        assertThat(column.equalTo(utf8(text), "utf8mb4")).isInstanceOf(Comparison.Unknown.class);
    }

    @Test
    void aLargeNumberAsTextMayBeComparedInFloatingPoint() {
        var column = type("bigint", null);

        assertThat(column.equalTo(utf8("9007199254740992"), "utf8mb4")).isInstanceOf(Comparison.Only.class);
        assertThat(column.equalTo(utf8("9007199254740993"), "utf8mb4")).isInstanceOf(Comparison.Unknown.class);
        assertThat(column.equalTo(new BigInteger("9007199254740993"))).isInstanceOf(Comparison.Only.class);
    }

    @Test
    void binaryStringsAreNotReadAsDecimalDigits() {
        var column = type("bigint", null);

        assertThat(column.stored(utf8("5"), "binary")).isInstanceOf(Conversion.WouldBend.class);
        assertThat(column.equalTo(utf8("5"), "utf16")).isInstanceOf(Comparison.Unknown.class);
    }

    @Test
    void varbinaryHoldsWhatFits() {
        var column = type("varbinary(3)", null);

        assertThat(column.stored(new byte[] {1, 0, -1}, "binary")).isInstanceOf(Conversion.Stored.class);
        assertThat(column.stored(new byte[4], "binary")).isInstanceOf(Conversion.WouldBend.class);
        assertThat(column.equalTo(new byte[4], "binary")).isEqualTo(new Comparison.Nothing());
        assertThat(column.stored(BigInteger.ONE)).isInstanceOf(Conversion.WouldBend.class);
        assertThat(column.equalTo(BigInteger.ONE)).isInstanceOf(Comparison.Unknown.class);
    }

    @Test
    void binaryIsPaddedByMysqlSoOnlyItsFullLengthIsExact() {
        var column = type("binary(3)", null);

        assertThat(column.stored(new byte[3], "binary")).isInstanceOf(Conversion.Stored.class);
        assertThat(column.stored(new byte[2], "binary")).isInstanceOf(Conversion.WouldBend.class);
        assertThat(column.equalTo(new byte[2], "binary")).isEqualTo(new Comparison.Nothing());
    }

    @Test
    void textIsCountedInCharacters() {
        var column = type("varchar(2)", "utf8mb4_0900_bin");

        assertThat(column.stored(utf8("é😀"), "utf8mb4")).isInstanceOf(Conversion.Stored.class);
        assertThat(column.stored(utf8("abc"), "utf8mb4")).isInstanceOf(Conversion.WouldBend.class);
        assertThat(column.equalTo(utf8("abc"), "utf8mb4")).isEqualTo(new Comparison.Nothing());
        assertThat(column.stored(utf8("a "), "utf8mb4")).isInstanceOf(Conversion.Stored.class);
    }

    @Test
    void textInAnotherCharacterSetIsNotGuessedAt() {
        var column = type("varchar(9)", "utf8mb4_0900_bin");
        var e = "é".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(column.stored(e, "latin1")).isInstanceOf(Conversion.WouldBend.class);
        assertThat(column.equalTo(e, "latin1")).isInstanceOf(Comparison.Unknown.class);
        assertThat(column.stored(e, "utf8mb4")).isInstanceOf(Conversion.WouldBend.class);
        assertThat(column.stored(utf8("plain"), "latin1")).isInstanceOf(Conversion.Stored.class);
        assertThat(column.stored(utf8("plain"), "utf16")).isInstanceOf(Conversion.WouldBend.class);
    }

    @Test
    void charLosesSpacesAtTheEnd() {
        var column = type("char(4)", "utf8mb4_0900_bin");

        assertThat(column.stored(utf8("a "), "utf8mb4")).isInstanceOf(Conversion.WouldBend.class);
        assertThat(column.equalTo(utf8("a "), "utf8mb4")).isEqualTo(new Comparison.Nothing());
        assertThat(column.stored(utf8("a"), "utf8mb4")).isInstanceOf(Conversion.Stored.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"float", "decimal(10,2)", "text", "BIGINT", "varchar", "varchar(0)", "binary(256)", "datetime"})
    void otherTypesAreRefusedWithTheChoices(String type) {
        assertThatThrownBy(() -> type(type, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("column c");
    }

    @Test
    void aTextColumnNeedsItsCollationAndOthersMustNotHaveOne() {
        assertThatThrownBy(() -> type("varchar(9)", null)).hasMessageContaining("collation must be declared");
        assertThatThrownBy(() -> type("bigint", "utf8mb4_0900_bin")).hasMessageContaining("can't have a collation");
    }

    private static ShardKeyType type(String type, @Nullable String collation) {
        return ShardKeyType.of(new ShardKeyColumn("c", type, collation));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
