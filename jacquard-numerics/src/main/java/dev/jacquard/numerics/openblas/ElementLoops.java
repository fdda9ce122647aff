package dev.jacquard.numerics.openblas;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Loops over the elements of a vector in one precision, in place of functions whose results depend on the version of
 * the library or on the addresses of operands. The results have the same bits on every machine.
 */
enum ElementLoops {
    /** In double precision. */
    DOUBLES {
        @Override
        double rounded(double factor) {
            return factor;
        }

        @Override
        double absoluteSum(MemorySegment x, long stride, int n) {
            double a = 0;
            double b = 0;
            double c = 0;
            double d = 0;
            long whole = n & ~3;
            for (long i = 0; i < whole; i += 4) { // four sums, since each addition waits for the one before
                long at = i * stride;
                a += Math.abs(x.getAtIndex(JAVA_DOUBLE_UNALIGNED, at));
                b += Math.abs(x.getAtIndex(JAVA_DOUBLE_UNALIGNED, at + stride));
                c += Math.abs(x.getAtIndex(JAVA_DOUBLE_UNALIGNED, at + 2 * stride));
                d += Math.abs(x.getAtIndex(JAVA_DOUBLE_UNALIGNED, at + 3 * stride));
            }
            double sum = (a + b) + (c + d);
            for (long i = whole; i < n; i++) {
                sum += Math.abs(x.getAtIndex(JAVA_DOUBLE_UNALIGNED, i * stride));
            }
            return sum;
        }

        @Override
        void multiply(MemorySegment x, long stride, int n, double factor) {
            for (long i = 0; i < n; i++) {
                long at = i * stride;
                x.setAtIndex(JAVA_DOUBLE_UNALIGNED, at, x.getAtIndex(JAVA_DOUBLE_UNALIGNED, at) * factor);
            }
        }
    },
    /** In single precision, whose sums are made in double precision, and rounded. */
    FLOATS {
        @Override
        double rounded(double factor) {
            return (float) factor;
        }

        @Override
        double absoluteSum(MemorySegment x, long stride, int n) {
            double a = 0;
            double b = 0;
            double c = 0;
            double d = 0;
            long whole = n & ~3;
            for (long i = 0; i < whole; i += 4) {
                long at = i * stride;
                a += Math.abs(x.getAtIndex(JAVA_FLOAT_UNALIGNED, at));
                b += Math.abs(x.getAtIndex(JAVA_FLOAT_UNALIGNED, at + stride));
                c += Math.abs(x.getAtIndex(JAVA_FLOAT_UNALIGNED, at + 2 * stride));
                d += Math.abs(x.getAtIndex(JAVA_FLOAT_UNALIGNED, at + 3 * stride));
            }
            double sum = (a + b) + (c + d);
            for (long i = whole; i < n; i++) {
                sum += Math.abs(x.getAtIndex(JAVA_FLOAT_UNALIGNED, i * stride));
            }
            return (float) sum;
        }

        @Override
        void multiply(MemorySegment x, long stride, int n, double factor) {
            for (long i = 0; i < n; i++) {
                long at = i * stride;
                x.setAtIndex(JAVA_FLOAT_UNALIGNED, at, x.getAtIndex(JAVA_FLOAT_UNALIGNED, at) * (float) factor);
            }
        }
    };

    /** Returns a factor in the precision. */
    abstract double rounded(double factor);

    /** Returns the sum of the absolute values of {@code n} elements, {@code stride} elements apart. */
    abstract double absoluteSum(MemorySegment x, long stride, int n);

    /** Multiplies {@code n} elements by {@code factor}, as IEEE 754 says: zero times what is no number is none. */
    abstract void multiply(MemorySegment x, long stride, int n, double factor);
}
