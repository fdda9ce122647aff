package dev.jacquard.numerics.blas;

import java.lang.foreign.MemorySegment;

/** The routines in double precision, on arrays too: an array stands for {@link MemorySegment#ofArray} of the array. */
public interface DoubleBlas extends ArrayBlas<double[]> {
    @Override
    default MemorySegment segment(double[] array) {
        return MemorySegment.ofArray(array);
    }
}
