package dev.shardwright.topology.vindex;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The vindex types by name. */
public final class Vindexes {
    private static final Map<String, Vindex> TYPES = new TreeMap<>(Map.of(
            "hash", new HashVindex(),
            "numeric", new NumericVindex(),
            "reverse_bits", new ReverseBitsVindex(),
            "xxhash", new ByteVindex(Digests::xxhash),
            "binary", new ByteVindex(byte[]::clone),
            "binary_md5", new ByteVindex(Digests::md5)));

    private Vindexes() {}

    /** The vindex of this type, shared and thread-safe; IllegalArgumentException lists the known types. */
    public static Vindex of(String type) {
        var vindex = TYPES.get(type);
        if (vindex == null) {
            throw new IllegalArgumentException(
                    "vindex type '" + type + "' is not known: use one of " + String.join(", ", names()));
        }
        return vindex;
    }

    /** All known types, sorted. */
    public static Set<String> names() {
        return new TreeSet<>(TYPES.keySet());
    }

    /** Whether this type takes integers only; the others take bytes too. */
    static boolean takesOnlyIntegers(Vindex vindex) {
        return vindex instanceof IntegerVindex;
    }
}
