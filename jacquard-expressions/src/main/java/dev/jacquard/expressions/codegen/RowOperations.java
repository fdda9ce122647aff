package dev.jacquard.expressions.codegen;

/**
 * The operations of the {@link Interpreter} on some points of rows, each in its own method: the JVM compiles these, and
 * not the code that chooses among them. A result may lie where an operand does.
 */
final class RowOperations {
    private RowOperations() {}

    static void add(double[] a, double[] b, double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] + b[i];
        }
    }

    static void subtract(double[] a, double[] b, double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] - b[i];
        }
    }

    static void multiply(double[] a, double[] b, double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] * b[i];
        }
    }

    static void divide(double[] a, double[] b, double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] / b[i];
        }
    }

    static void min(double[] a, double[] b, double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = Math.min(a[i], b[i]);
        }
    }

    static void max(double[] a, double[] b, double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = Math.max(a[i], b[i]);
        }
    }

    static void negate(double[] a, double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = -a[i];
        }
    }

    static void abs(double[] a, double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = Math.abs(a[i]);
        }
    }

    static void sqrt(double[] a, double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = Math.sqrt(a[i]);
        }
    }

    static void select(long[] which, double[] yes, double[] no, double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = which[i] != 0 ? yes[i] : no[i];
        }
    }

    static void round(double[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = (float) to[i];
        }
    }

    static void addIntegers(long[] a, long[] b, long[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] + b[i];
        }
    }

    static void subtractIntegers(long[] a, long[] b, long[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] - b[i];
        }
    }

    static void andBits(long[] a, long[] b, long[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] & b[i];
        }
    }

    static void orBits(long[] a, long[] b, long[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] | b[i];
        }
    }

    static void shiftLeft(long[] a, int distance, long[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] << distance;
        }
    }

    static void shiftRight(long[] a, int distance, long[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] >> distance;
        }
    }

    static void less(double[] a, double[] b, long[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] < b[i] ? 1 : 0;
        }
    }

    static void atMost(double[] a, double[] b, long[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] <= b[i] ? 1 : 0;
        }
    }

    static void equal(double[] a, double[] b, long[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = a[i] == b[i] ? 1 : 0;
        }
    }

    static void not(long[] a, long[] to, int points) {
        for (int i = 0; i < points; i++) {
            to[i] = 1 - a[i];
        }
    }
}
