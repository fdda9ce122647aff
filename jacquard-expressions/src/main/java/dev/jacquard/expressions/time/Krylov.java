package dev.jacquard.expressions.time;

import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.expressions.loop.Binding;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The matrix of derivatives of all rates, seen from a few states: the ones that it makes of a first one, applied again
 * and again. Its eigenvalues there are near the outermost eigenvalues of the whole matrix.
 *
 * <pre>
 *   state v_j --- derivative along v_j ---> w --- sketch, orthogonal to the q before ---> column of the matrix, q_j+1
 *     ^                                     |
 *     +--- orthogonal to the last states ---+          of short states v_j+1 = q_j+1
 * </pre>
 *
 * <p>Full states are kept of the last {@value #KEPT} alone; of the others their sketches are. A state is made
 * orthogonal to the kept ones, as far as sketches tell, which keeps them from becoming parallel; the sketches are
 * orthogonal to all. The coordinates of each state in these follow from the same sums, so that the small matrix is that
 * of the large one in the sketches.
 *
 * <p>Confined to one thread, which the workers help with each state.
 *
 * <p>Source: Nakatsukasa and Tropp, Fast and accurate randomized algorithms for linear systems and eigenvalue problems,
 * SIAM Journal on Matrix Analysis and Applications 45 (2024), sections 4 and 6.
 */
final class Krylov {
    /** The states, which is the number of evaluations of the rates' derivative. */
    static final int STATES = 58;

    /** The full states that are kept, and one more that is computed. */
    private static final int KEPT = 4;

    private final States states;
    private final Sketch sketch;
    private final Product product;
    private final double tiny;
    private final List<List<Binding.Place>> kept = new ArrayList<>();
    /** The orthogonal sketches. */
    private final List<double[]> base = new ArrayList<>();
    /** By state: its coordinates, and the coordinates of the derivative along it. */
    private final List<double[]> coordinates = new ArrayList<>();

    private final List<double[]> columns = new ArrayList<>();
    /** By part of the work: memory for the values of a piece of a state, and of another one. */
    private final double[][] pieces;

    private final double[][] others;
    private boolean isWhole;

    /** Computes the derivative of all rates along a state. */
    @FunctionalInterface
    interface Product {
        void run(KernelContext context, List<Binding.Place> along, List<Binding.Place> result) throws Exception;
    }

    Krylov(States states, Product product, Arena arena, double tiny) {
        this.states = states;
        this.sketch = new Sketch(states);
        this.product = product;
        this.tiny = tiny;
        this.pieces = new double[states.parts()][0];
        this.others = new double[states.parts()][0];
        int count = sketch.isExact() ? 2 : KEPT + 1;
        for (int i = 0; i < count; i++) {
            kept.add(states.state(arena));
        }
    }

    /** Returns the number of states so far. */
    int count() {
        return columns.size();
    }

    /** Returns true if there are no more states: the eigenvalues are the ones of the whole matrix. */
    boolean isWhole() {
        return isWhole;
    }

    /** Makes the first state. */
    void begin(KernelContext context, StartWaves waves) throws Exception {
        List<Binding.Place> first = kept.getFirst();
        states.forEach(context, (part, piece) -> {
            double[] values = values(part);
            waves.set(piece, values);
            states.write(first, piece, values);
        });
        double[] its = sketch(context, first);
        double norm = Math.sqrt(dot(its, its));
        scale(context, first, 1 / norm);
        for (int i = 0; i < its.length; i++) {
            its[i] /= norm;
        }
        base.add(its);
        coordinates.add(new double[] {1});
    }

    /**
     * Makes the next state.
     *
     * @return false if a value became infinite, or no number
     */
    boolean next(KernelContext context) throws Exception {
        int number = columns.size();
        List<Binding.Place> last = kept.get(number % kept.size());
        List<Binding.Place> next = kept.get((number + 1) % kept.size());
        product.run(context, last, next);
        double[] rest = sketch(context, next);
        double before = Math.sqrt(dot(rest, rest));
        double[] column = new double[number + 2];
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i <= number; i++) {
                double sum = dot(base.get(i), rest);
                column[i] += sum;
                subtract(rest, sum, base.get(i), rest.length);
            }
        }
        double left = Math.sqrt(dot(rest, rest));
        isWhole = left <= tiny * before;
        column[number + 1] = isWhole ? 0 : left;
        columns.add(column);
        if (isWhole) {
            return true;
        }
        if (!(left < Double.POSITIVE_INFINITY)) {
            return false;
        }
        for (int i = 0; i < rest.length; i++) {
            rest[i] /= left;
        }
        base.add(rest);
        if (sketch.isExact()) {
            double[] its = new double[number + 2];
            its[number + 1] = 1;
            coordinates.add(its);
            states.forEach(context, (part, piece) -> {
                int from = (int) piece.first();
                states.write(next, piece, Arrays.copyOfRange(rest, from, from + piece.points()));
            });
            return true;
        }
        return orthogonal(context, column, next);
    }

    /** Makes a full state orthogonal to the kept ones, as their sketches have it, with a sketch of norm 1. */
    private boolean orthogonal(KernelContext context, double[] column, List<Binding.Place> next) throws Exception {
        int number = column.length - 2;
        double[] its = column.clone();
        double[] sums = new double[Math.min(number + 1, KEPT)];
        for (int i = 0; i < sums.length; i++) {
            double[] other = coordinates.get(number - i);
            sums[i] = dot(other, column);
            subtract(its, sums[i], other, other.length);
        }
        double norm = Math.sqrt(dot(its, its));
        isWhole = norm == 0;
        if (isWhole || !(norm < Double.POSITIVE_INFINITY)) {
            return isWhole;
        }
        for (int i = 0; i < its.length; i++) {
            its[i] /= norm;
        }
        coordinates.add(its);
        states.forEach(context, (part, piece) -> {
            double[] values = values(part);
            double[] other = others[part];
            states.read(next, piece, values);
            for (int i = 0; i < sums.length; i++) {
                states.read(kept.get((number - i) % kept.size()), piece, other);
                subtract(values, sums[i], other, piece.points());
            }
            scale(values, 1 / norm, piece.points());
            states.write(next, piece, values);
        });
        return true;
    }

    private void scale(KernelContext context, List<Binding.Place> state, double factor) throws Exception {
        states.forEach(context, (part, piece) -> {
            double[] values = values(part);
            states.read(state, piece, values);
            scale(values, factor, piece.points());
            states.write(state, piece, values);
        });
    }

    private static void scale(double[] values, double factor, int count) {
        for (int i = 0; i < count; i++) {
            values[i] *= factor;
        }
    }

    /** Returns the memory of a part for the values of a piece. */
    private double[] values(int part) {
        if (pieces[part].length == 0) {
            pieces[part] = new double[States.PIECE];
            others[part] = new double[States.PIECE];
        }
        return pieces[part];
    }

    /** Returns the sketch of a state. */
    private double[] sketch(KernelContext context, List<Binding.Place> state) throws Exception {
        double[][] sketches = new double[states.parts()][sketch.size()];
        states.forEach(context, (part, piece) -> {
            double[] values = values(part);
            states.read(state, piece, values);
            sketch.add(piece, values, sketches[part]);
        });
        double[] all = new double[sketch.size()];
        add(sketches, all);
        return all;
    }

    private static void add(double[][] parts, double[] to) {
        for (double[] part : parts) {
            for (int i = 0; i < to.length; i++) {
                to[i] += part[i];
            }
        }
    }

    /** Returns the sum of products, of as many elements as the first one has. */
    private static double dot(double[] a, double[] b) {
        // Four sums at a time: one alone would wait for each addition.
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int i = 0;
        for (; i + 3 < a.length; i += 4) {
            first += a[i] * b[i];
            second += a[i + 1] * b[i + 1];
            third += a[i + 2] * b[i + 2];
            fourth += a[i + 3] * b[i + 3];
        }
        for (; i < a.length; i++) {
            first += a[i] * b[i];
        }
        return (first + third) + (second + fourth);
    }

    private static void subtract(double[] from, double factor, double[] what, int count) {
        for (int i = 0; i < count; i++) {
            from[i] -= factor * what[i];
        }
    }

    // ---- the small matrix

    /**
     * Returns the small matrix, in Hessenberg form. The last row has one element that is not 0, the last: by how much
     * the derivative along the last state leaves the others.
     */
    double[][] matrix() {
        int count = columns.size();
        double[][] matrix = new double[count + 1][count];
        for (int j = 0; j < count; j++) {
            double[] state = coordinates.get(j);
            double[] column = new double[count + 1];
            System.arraycopy(columns.get(j), 0, column, 0, columns.get(j).length);
            for (int i = 0; i < j; i++) {
                for (int row = 0; row < Math.min(i + 2, count + 1); row++) {
                    column[row] -= matrix[row][i] * state[i];
                }
            }
            for (int row = 0; row < Math.min(j + 2, count + 1); row++) {
                matrix[row][j] = column[row] / state[j];
            }
        }
        return matrix;
    }

    /** Returns the shares of the fields in a vector of the small matrix, the sums of squares of its values. */
    double[] shares(double[][] vector) {
        double[] shares = new double[states.fields()];
        for (int element = 0; element < sketch.size(); element++) {
            double re = 0;
            double im = 0;
            for (int i = 0; i < vector[0].length; i++) {
                re += vector[0][i] * base.get(i)[element];
                im += vector[1][i] * base.get(i)[element];
            }
            shares[sketch.field(element, states)] += re * re + im * im;
        }
        return shares;
    }
}
