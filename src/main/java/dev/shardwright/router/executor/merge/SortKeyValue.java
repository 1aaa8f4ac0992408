package dev.shardwright.router.executor.merge;

import java.math.BigDecimal;
import java.util.Arrays;

/** One value of one sort key, made ready to be compared with others of the same key. */
sealed interface SortKeyValue extends Comparable<SortKeyValue> {

    record Null() implements SortKeyValue {
        @Override
        public int compareTo(SortKeyValue other) {
            return other instanceof Null ? 0 : -1;
        }
    }

    record Whole(long value) implements SortKeyValue {
        @Override
        public int compareTo(SortKeyValue other) {
            return other instanceof Whole whole ? Long.compare(value, whole.value) : afterNull(other);
        }
    }

    record Decimal(BigDecimal value) implements SortKeyValue {
        @Override
        public int compareTo(SortKeyValue other) {
            return other instanceof Decimal decimal ? value.compareTo(decimal.value) : afterNull(other);
        }
    }

    /** Never NaN, and 0.0 instead of -0.0, which MySQL takes for equal. */
    record Real(double value) implements SortKeyValue {
        @Override
        public int compareTo(SortKeyValue other) {
            return other instanceof Real real ? Double.compare(value, real.value) : afterNull(other);
        }
    }

    /** Unsigned bytes; {@code padding} as in {@link Collations#padding}. */
    record Bytes(byte[] value, byte[] padding) implements SortKeyValue {
        @Override
        public int compareTo(SortKeyValue other) {
            return other instanceof Bytes bytes ? compare(bytes) : afterNull(other);
        }

        private int compare(Bytes other) {
            var common = Math.min(value.length, other.value.length);
            var start = Arrays.compareUnsigned(value, 0, common, other.value, 0, common);
            if (start != 0 || padding.length == 0) {
                return start != 0 ? start : Integer.compare(value.length, other.value.length);
            }
            return value.length > common ? rest(value, common) : -rest(other.value, common);
        }

        /** How the rest of the longer one compares with spaces. */
        private int rest(byte[] longer, int from) {
            for (var i = from; i < longer.length; i++) {
                var order = Byte.compareUnsigned(longer[i], padding[i % padding.length]);
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }
    }

    private static int afterNull(SortKeyValue other) {
        if (other instanceof Null) {
            return 1;
        }
        throw new ClassCastException("sort keys of different kinds");
    }
}
