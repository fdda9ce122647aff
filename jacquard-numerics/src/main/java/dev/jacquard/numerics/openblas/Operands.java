package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.Blas.Triangle;
import dev.jacquard.numerics.blas.BlasRoutines;
import dev.jacquard.numerics.blas.Operand;
import dev.jacquard.numerics.openblas.CheckedOperand.Part;
import java.util.Arrays;
import java.util.Objects;

/** The parts that all routines share: functions, layout, and operands that are checked. Immutable. */
abstract class Operands<A> implements BlasRoutines<A> {
    final Functions functions;
    final Layout layout;
    /** The layout as CBLAS has it, of CBLAS's enumerations. */
    final int order;

    Operands(Functions functions, Layout layout) {
        this.functions = functions;
        this.layout = layout;
        this.order = layout == Layout.ROW_MAJOR ? 101 : 102;
    }

    @Override
    public final Layout layout() {
        return layout;
    }

    final CheckedOperand vector(String what, int n, Operand<A> of, Part written) {
        return new CheckedOperand(what, functions.element, n, 1, of, written);
    }

    final CheckedOperand matrix(String what, int rows, int columns, Operand<A> of, Part written) {
        return layout == Layout.ROW_MAJOR
                ? new CheckedOperand(what, functions.element, rows, columns, of, written)
                : new CheckedOperand(what, functions.element, columns, rows, of, written);
    }

    /** A matrix that is read, of which {@code op(A)} is {@code rows} by {@code columns}. */
    final CheckedOperand matrix(String what, Transpose op, int rows, int columns, Operand<A> of) {
        return Objects.requireNonNull(op, what) == Transpose.NO
                ? matrix(what, rows, columns, of, Part.NONE)
                : matrix(what, columns, rows, of, Part.NONE);
    }

    static void sizes(String routine, int... sizes) {
        for (int size : sizes) {
            if (size < 0) {
                throw new IllegalArgumentException(
                        routine + ": sizes must not be negative, but are " + Arrays.toString(sizes));
            }
        }
    }

    /** The elements of a line that belong to {@code triangle}. */
    final Part part(Triangle triangle) {
        return (Objects.requireNonNull(triangle, "triangle") == Triangle.UPPER) == (layout == Layout.ROW_MAJOR)
                ? Part.FROM_DIAGONAL
                : Part.TO_DIAGONAL;
    }

    static int code(Transpose transpose) {
        return Objects.requireNonNull(transpose, "transpose") == Transpose.NO ? 111 : 112;
    }

    static int code(Triangle triangle) {
        return Objects.requireNonNull(triangle, "triangle") == Triangle.UPPER ? 121 : 122;
    }
}
