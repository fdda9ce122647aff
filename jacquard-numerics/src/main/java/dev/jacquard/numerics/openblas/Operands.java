package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.Blas.Triangle;
import dev.jacquard.numerics.blas.BlasRoutines;
import dev.jacquard.numerics.openblas.Operand.Part;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The parts that all routines share: functions, layout, and operands that are checked. Immutable. */
abstract class Operands implements BlasRoutines {
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

    final Operand vector(String what, int n, MemorySegment memory, long offset, int stride, Part written) {
        return new Operand(what, functions.element, n, 1, memory, offset, stride, written);
    }

    final Operand matrix(
            String what, int rows, int columns, MemorySegment memory, long offset, int leading, Part written) {
        boolean inRows = layout == Layout.ROW_MAJOR;
        return new Operand(
                what,
                functions.element,
                inRows ? rows : columns,
                inRows ? columns : rows,
                memory,
                offset,
                leading,
                written);
    }

    /** A matrix that is read, of which {@code op(A)} is {@code rows} by {@code columns}. */
    final Operand matrix(
            String what, Transpose op, int rows, int columns, MemorySegment memory, long offset, int leading) {
        return op == Transpose.NO
                ? matrix(what, rows, columns, memory, offset, leading, Part.NONE)
                : matrix(what, columns, rows, memory, offset, leading, Part.NONE);
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
        return (triangle == Triangle.UPPER) == (layout == Layout.ROW_MAJOR) ? Part.FROM_DIAGONAL : Part.TO_DIAGONAL;
    }

    static int code(Transpose transpose) {
        return transpose == Transpose.NO ? 111 : 112;
    }

    static int code(Triangle triangle) {
        return triangle == Triangle.UPPER ? 121 : 122;
    }
}
