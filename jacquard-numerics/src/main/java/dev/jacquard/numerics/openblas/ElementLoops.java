package dev.jacquard.numerics.openblas;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Products of the elements of a vector and a factor, in one precision, for factors by which versions of the library
 * multiply in different ways.
 */
enum ElementLoops {
    /** In double precision. */
    DOUBLES {
        @Override
        double rounded(double factor) {
            return factor;
        }

        @Override
        void multiply(MemorySegment x, long stride, int n, double factor) {
            if (stride > 1) {
                for (long i = 0; i < n; i++) {
                    double value = x.getAtIndex(JAVA_DOUBLE_UNALIGNED, i * stride);
                    x.setAtIndex(JAVA_DOUBLE_UNALIGNED, i * stride, value * factor);
                }
                return;
            }
            double[] piece = new double[Math.min(n, PIECE)]; // loops over arrays do not depend on the kind of memory
            for (long done = 0; done < n; done += PIECE) {
                int count = (int) Math.min(PIECE, n - done);
                MemorySegment.copy(x, JAVA_DOUBLE_UNALIGNED, done * Double.BYTES, piece, 0, count);
                for (int i = 0; i < count; i++) {
                    piece[i] *= factor;
                }
                MemorySegment.copy(piece, 0, x, JAVA_DOUBLE_UNALIGNED, done * Double.BYTES, count);
            }
        }
    },
    /** In single precision. */
    FLOATS {
        @Override
        double rounded(double factor) {
            return (float) factor;
        }

        @Override
        void multiply(MemorySegment x, long stride, int n, double factor) {
            float its = (float) factor;
            if (stride > 1) {
                for (long i = 0; i < n; i++) {
                    float value = x.getAtIndex(JAVA_FLOAT_UNALIGNED, i * stride);
                    x.setAtIndex(JAVA_FLOAT_UNALIGNED, i * stride, value * its);
                }
                return;
            }
            float[] piece = new float[Math.min(n, PIECE)];
            for (long done = 0; done < n; done += PIECE) {
                int count = (int) Math.min(PIECE, n - done);
                MemorySegment.copy(x, JAVA_FLOAT_UNALIGNED, done * Float.BYTES, piece, 0, count);
                for (int i = 0; i < count; i++) {
                    piece[i] *= its;
                }
                MemorySegment.copy(piece, 0, x, JAVA_FLOAT_UNALIGNED, done * Float.BYTES, count);
            }
        }
    };

    private static final int PIECE = 1024;

    /** Returns a factor in the precision. */
    abstract double rounded(double factor);

    /** Multiplies {@code n} elements by {@code factor}, as IEEE 754 says: zero times no number is no number. */
    abstract void multiply(MemorySegment x, long stride, int n, double factor);
}
