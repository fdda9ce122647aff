package dev.jacquard.numerics.blas;

import java.lang.foreign.MemorySegment;

/** The routines in single precision, on arrays too: an array stands for {@link MemorySegment#ofArray} of the array. */
public interface FloatBlas extends ArrayBlas<float[]> {
    @Override
    default MemorySegment segment(float[] array) {
        return MemorySegment.ofArray(array);
    }
}
