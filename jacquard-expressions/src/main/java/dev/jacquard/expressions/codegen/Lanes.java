package dev.jacquard.expressions.codegen;

import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The vectors that loops in lanes compute with: the widest of this machine. Generated loops read the fields, which are
 * static and final for C2 to know them. Loaded only where the module {@code jdk.incubator.vector} is.
 */
final class Lanes {
    static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
    static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private Lanes() {}

    /** Returns the number of floats in a vector if {@code single}, else of doubles. */
    static int count(boolean single) {
        return single ? FLOATS.length() : DOUBLES.length();
    }
}
