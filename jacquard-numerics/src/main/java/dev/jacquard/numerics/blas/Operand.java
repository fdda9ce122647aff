package dev.jacquard.numerics.blas;

import java.lang.foreign.MemorySegment;

/**
 * A vector or a matrix: memory, native or of the heap, the place of its first element, and a distance. So a tile of a
 * larger matrix is an operand as it is.
 *
 * @param offset of the first element, in elements
 * @param stride elements from one element of a vector to the next, or the leading dimension of a matrix
 * @param <A> arrays of the precision of the elements
 */
@SuppressWarnings("UnusedTypeParameter") // a routine refuses operands of the other precision
public record Operand<A>(MemorySegment memory, long offset, int stride) {
    /** An operand in an array of doubles. */
    public static Operand<double[]> of(double[] array, long offset, int stride) {
        return of(MemorySegment.ofArray(array), offset, stride);
    }

    /** An operand in an array of floats. */
    public static Operand<float[]> of(float[] array, long offset, int stride) {
        return of(MemorySegment.ofArray(array), offset, stride);
    }

    /** The pivots in {@code array}, from {@code offset} on. */
    public static Operand<int[]> pivots(int[] array, long offset) {
        return of(MemorySegment.ofArray(array), offset, 1);
    }

    /** An operand in {@code memory}. Its elements have the precision of the routine. Pivots have a stride of 1. */
    public static <A> Operand<A> of(MemorySegment memory, long offset, int stride) {
        return new Operand<>(memory, offset, stride);
    }
}
