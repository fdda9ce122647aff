package dev.jacquard.apps.linear;

import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.BlasRoutines;
import dev.jacquard.numerics.blas.Operand;

/**
 * Arrays of one precision. Sums are made in double precision, in the order of the elements.
 *
 * @param <A> the arrays
 */
sealed interface Elements<A> {
    /** Returns zeros. */
    A allocate(int size);

    /** Returns an element. */
    double get(A array, int place);

    /** Sets an element, rounded to the precision. */
    void set(A array, int place, double value);

    /**
     * Subtracts {@code factor} times {@code size} elements from {@code begin} on from the elements of {@code target}.
     */
    void subtract(double factor, A array, int begin, int size, double[] target, int to);

    /** Returns the sum of products of {@code size} elements. */
    double dot(A array, int begin, int size, double[] other, int from);

    /** Returns a matrix in columns. */
    Operand<A> operand(A array, int offset, int stride);

    /** Returns the routines for matrices in columns. */
    BlasRoutines<A> routines(Blas library);

    /** Single precision. */
    record Singles() implements Elements<float[]> {
        @Override
        public float[] allocate(int size) {
            return new float[size];
        }

        @Override
        public double get(float[] array, int place) {
            return array[place];
        }

        @Override
        public void set(float[] array, int place, double value) {
            array[place] = (float) value;
        }

        @Override
        public void subtract(double factor, float[] array, int begin, int size, double[] target, int to) {
            for (int i = 0; i < size; i++) {
                target[to + i] -= factor * array[begin + i];
            }
        }

        @Override
        public double dot(float[] array, int begin, int size, double[] other, int from) {
            double sum = 0;
            for (int i = 0; i < size; i++) {
                sum += array[begin + i] * other[from + i];
            }
            return sum;
        }

        @Override
        public Operand<float[]> operand(float[] array, int offset, int stride) {
            return Operand.of(array, offset, stride);
        }

        @Override
        public BlasRoutines<float[]> routines(Blas library) {
            return library.floats(Blas.Layout.COLUMN_MAJOR);
        }
    }

    /** Double precision. */
    record Doubles() implements Elements<double[]> {
        @Override
        public double[] allocate(int size) {
            return new double[size];
        }

        @Override
        public double get(double[] array, int place) {
            return array[place];
        }

        @Override
        public void set(double[] array, int place, double value) {
            array[place] = value;
        }

        @Override
        public void subtract(double factor, double[] array, int begin, int size, double[] target, int to) {
            for (int i = 0; i < size; i++) {
                target[to + i] -= factor * array[begin + i];
            }
        }

        @Override
        public double dot(double[] array, int begin, int size, double[] other, int from) {
            double sum = 0;
            for (int i = 0; i < size; i++) {
                sum += array[begin + i] * other[from + i];
            }
            return sum;
        }

        @Override
        public Operand<double[]> operand(double[] array, int offset, int stride) {
            return Operand.of(array, offset, stride);
        }

        @Override
        public BlasRoutines<double[]> routines(Blas library) {
            return library.doubles(Blas.Layout.COLUMN_MAJOR);
        }
    }
}
