package dev.jacquard.expressions.codegen;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * The vectors that loops in lanes compute with: the widest of this machine. Generated loops read the fields, which are
 * static and final for C2 to know them. Loaded only where the module {@code jdk.incubator.vector} is.
 */
final class Lanes {
    static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
    static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    /** The bytes of a vector, of any of them. */
    static final int BYTES = DOUBLES.vectorByteSize();

    static final ByteOrder ORDER = ByteOrder.nativeOrder();

    /** All memory, where loops access it by its addresses; null where this module has no native access. */
    static final @Nullable MemorySegment ALL =
            Lanes.class.getModule().isNativeAccessEnabled() ? MemorySegment.NULL.reinterpret(Long.MAX_VALUE) : null;

    private Lanes() {}

    /** Returns the number of floats in a vector if {@code single}, else of doubles. */
    static int count(boolean single) {
        return single ? FLOATS.length() : DOUBLES.length();
    }
}
