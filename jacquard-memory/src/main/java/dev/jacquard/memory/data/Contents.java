package dev.jacquard.memory.data;

import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.IntToLongFunction;

/** Finds changes of the contents of an array, by a hash of 64 bits. */
public final class Contents {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    /** Arrays in arrays; deeper ones, such as arrays that contain themselves, are not looked into. */
    private static final int MOST_LEVELS = 8;

    private Contents() {}

    /**
     * A hash of all elements of an array and of the arrays in it; of other elements their own hash code.
     *
     * @throws IllegalArgumentException when {@code array} is none
     */
    public static long hash(Object array) {
        Objects.requireNonNull(array, "array");
        if (!array.getClass().isArray()) {
            throw new IllegalArgumentException("only contents of arrays are known, not of a "
                    + array.getClass().getName());
        }
        return hash(array, 0);
    }

    /** A hash of all elements in memory, without its gaps. */
    public static long hash(Memory memory) {
        Objects.requireNonNull(memory, "memory");
        return hash(memory, 0, 0, memory.layout().elements());
    }

    /** A hash of the elements with the same indices before {@code dimension}, of which the first lies at {@code at}. */
    private static long hash(Memory memory, int dimension, long at, long seed) {
        Layout layout = memory.layout();
        int size = layout.type().bytes();
        long hash = seed;
        if (dimension < layout.dimensions() - 1) {
            for (long i = 0; i < layout.extent(dimension); i++) {
                hash = hash(memory, dimension + 1, at + i * layout.stride(dimension) * size, hash);
            }
            return hash;
        }
        long end = at + layout.extent(dimension) * size;
        long next = at;
        for (; next + Long.BYTES <= end; next += Long.BYTES) {
            hash = (Long.rotateLeft(hash, 23) ^ memory.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, next)) * FACTOR;
        }
        for (; next < end; next++) {
            hash = (Long.rotateLeft(hash, 23) ^ memory.segment().get(ValueLayout.JAVA_BYTE, next)) * FACTOR;
        }
        return hash;
    }

    private static long hash(Object array, int level) {
        return switch (array) {
            case double[] a -> mix(a.length, i -> Double.doubleToRawLongBits(a[i]));
            case float[] a -> mix(a.length, i -> Float.floatToRawIntBits(a[i]));
            case long[] a -> mix(a.length, i -> a[i]);
            case int[] a -> mix(a.length, i -> a[i]);
            case short[] a -> mix(a.length, i -> a[i]);
            case char[] a -> mix(a.length, i -> a[i]);
            case byte[] a -> mix(a.length, i -> a[i]);
            case boolean[] a -> mix(a.length, i -> a[i] ? 1 : 0);
            case Object[] a -> mix(a.length, i -> element(a[i], level + 1));
            default -> array.hashCode();
        };
    }

    @SuppressWarnings("NullAway") // an element of an array of objects may be null
    private static long element(Object element, int level) {
        if (element == null) {
            return 0;
        }
        return element.getClass().isArray() && level < MOST_LEVELS ? hash(element, level) : element.hashCode();
    }

    private static long mix(int length, IntToLongFunction elements) {
        long hash = length;
        for (int i = 0; i < length; i++) {
            hash = (Long.rotateLeft(hash, 23) ^ elements.applyAsLong(i)) * FACTOR;
        }
        return hash;
    }
}
