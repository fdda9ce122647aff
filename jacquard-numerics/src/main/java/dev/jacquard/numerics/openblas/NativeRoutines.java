package dev.jacquard.numerics.openblas;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.jacquard.numerics.blas.BlasRoutines;
import dev.jacquard.numerics.blas.Diagonal;
import dev.jacquard.numerics.blas.IndefiniteMatrixException;
import dev.jacquard.numerics.blas.Layout;
import dev.jacquard.numerics.blas.Side;
import dev.jacquard.numerics.blas.SingularMatrixException;
import dev.jacquard.numerics.blas.Transpose;
import dev.jacquard.numerics.blas.Triangle;
import dev.jacquard.numerics.openblas.Operand.Part;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * The routines on top of the native functions, the same for both precisions: checks, then one native call or a few. Immutable.
 *
 * <p>Vectors are worked through in pieces where they are long and on the heap, since copying them would cost as much as the
 * routine; all else goes through {@link Staging}. The Fortran functions of LAPACK know columns only. {@code getrf} on rows
 * transposes to and fro, {@code potrf} takes the other triangle, and what is made of exchanges and {@code trsm} needs no Fortran.
 */
class NativeRoutines implements BlasRoutines {
    private final Functions functions;
    private final Layout layout;
    /** The layout as CBLAS has it, of CBLAS's enumerations. */
    private final int order;

    NativeRoutines(Functions functions, Layout layout) {
        this.functions = functions;
        this.layout = layout;
        this.order = layout == Layout.ROW_MAJOR ? 101 : 102;
    }

    @Override
    public final Layout layout() {
        return layout;
    }

    @Override
    public final void axpy(
            int n,
            double alpha,
            MemorySegment x,
            long xOffset,
            int xStride,
            MemorySegment y,
            long yOffset,
            int yStride) {
        sizes("axpy", n);
        Operand opX = vector("axpy: x", n, x, xOffset, xStride, Part.NONE);
        Operand opY = vector("axpy: y", n, y, yOffset, yStride, Part.ALL);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX, opY);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.axpy.handle(quick);
        try {
            for (long done = 0; done < n; done += piece) {
                handle.invokeExact(
                        (int) Math.min(piece, n - done),
                        alpha,
                        opX.from(done * xStride),
                        xStride,
                        opY.from(done * yStride),
                        yStride);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final double dot(
            int n, MemorySegment x, long xOffset, int xStride, MemorySegment y, long yOffset, int yStride) {
        sizes("dot", n);
        Operand opX = vector("dot: x", n, x, xOffset, xStride, Part.NONE);
        Operand opY = vector("dot: y", n, y, yOffset, yStride, Part.NONE);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX, opY);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.dot.handle(quick);
        double result = 0;
        try {
            for (long done = 0; done < n; done += piece) {
                result += (double) handle.invokeExact(
                        (int) Math.min(piece, n - done),
                        opX.from(done * xStride),
                        xStride,
                        opY.from(done * yStride),
                        yStride);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
        return result;
    }

    @Override
    public final void scal(int n, double alpha, MemorySegment x, long xOffset, int xStride) {
        sizes("scal", n);
        Operand opX = vector("scal: x", n, x, xOffset, xStride, Part.ALL);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.scal.handle(quick);
        try {
            for (long done = 0; done < n; done += piece) {
                handle.invokeExact((int) Math.min(piece, n - done), alpha, opX.from(done * xStride), xStride);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final void copy(
            int n, MemorySegment x, long xOffset, int xStride, MemorySegment y, long yOffset, int yStride) {
        sizes("copy", n);
        Operand opX = vector("copy: x", n, x, xOffset, xStride, Part.NONE);
        Operand opY = vector("copy: y", n, y, yOffset, yStride, Part.ALL);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX, opY);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.copy.handle(quick);
        try {
            for (long done = 0; done < n; done += piece) {
                handle.invokeExact(
                        (int) Math.min(piece, n - done),
                        opX.from(done * xStride),
                        xStride,
                        opY.from(done * yStride),
                        yStride);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final double nrm2(int n, MemorySegment x, long xOffset, int xStride) {
        sizes("nrm2", n);
        Operand opX = vector("nrm2: x", n, x, xOffset, xStride, Part.NONE);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.nrm2.handle(quick);
        double result = 0;
        try {
            for (long done = 0; done < n; done += piece) {
                result = Math.hypot(result, (double)
                        handle.invokeExact((int) Math.min(piece, n - done), opX.from(done * xStride), xStride));
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
        return result;
    }

    @Override
    public final double asum(int n, MemorySegment x, long xOffset, int xStride) {
        sizes("asum", n);
        Operand opX = vector("asum: x", n, x, xOffset, xStride, Part.NONE);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.asum.handle(quick);
        double result = 0;
        try {
            for (long done = 0; done < n; done += piece) {
                result +=
                        (double) handle.invokeExact((int) Math.min(piece, n - done), opX.from(done * xStride), xStride);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
        return result;
    }

    @Override
    public final void gemv(
            Transpose transpose,
            int m,
            int n,
            double alpha,
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment x,
            long xOffset,
            int xStride,
            double beta,
            MemorySegment y,
            long yOffset,
            int yStride) {
        sizes("gemv", m, n);
        boolean turned = transpose == Transpose.YES;
        Operand opA = matrix("gemv: A", m, n, a, aOffset, lda, Part.NONE);
        Operand opX = vector("gemv: x", turned ? m : n, x, xOffset, xStride, Part.NONE);
        Operand opY = vector("gemv: y", turned ? n : m, y, yOffset, yStride, Part.ALL);
        if (opY.elements() == 0) {
            return;
        }
        if (opX.elements() == 0) {
            clearOrScale(opY, beta);
            return;
        }
        try (Staging staging = Staging.of(2.0 * m * n, opA, opX, opY)) {
            functions
                    .gemv
                    .handle(staging.isQuick())
                    .invokeExact(
                            order,
                            code(transpose),
                            m,
                            n,
                            alpha,
                            opA.memory(),
                            opA.stride(),
                            opX.memory(),
                            opX.stride(),
                            beta,
                            opY.memory(),
                            opY.stride());
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final void ger(
            int m,
            int n,
            double alpha,
            MemorySegment x,
            long xOffset,
            int xStride,
            MemorySegment y,
            long yOffset,
            int yStride,
            MemorySegment a,
            long aOffset,
            int lda) {
        sizes("ger", m, n);
        Operand opX = vector("ger: x", m, x, xOffset, xStride, Part.NONE);
        Operand opY = vector("ger: y", n, y, yOffset, yStride, Part.NONE);
        Operand opA = matrix("ger: A", m, n, a, aOffset, lda, Part.ALL);
        if (opA.elements() == 0) {
            return;
        }
        try (Staging staging = Staging.of(2.0 * m * n, opX, opY, opA)) {
            functions
                    .ger
                    .handle(staging.isQuick())
                    .invokeExact(
                            order,
                            m,
                            n,
                            alpha,
                            opX.memory(),
                            opX.stride(),
                            opY.memory(),
                            opY.stride(),
                            opA.memory(),
                            opA.stride());
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final void gemm(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            double alpha,
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment b,
            long bOffset,
            int ldb,
            double beta,
            MemorySegment c,
            long cOffset,
            int ldc) {
        sizes("gemm", m, n, k);
        Operand opA = matrix("gemm: A", transposeA, m, k, a, aOffset, lda);
        Operand opB = matrix("gemm: B", transposeB, k, n, b, bOffset, ldb);
        Operand opC = matrix("gemm: C", m, n, c, cOffset, ldc, Part.ALL);
        if (opC.elements() == 0) {
            return;
        }
        try (Staging staging = Staging.of(2.0 * m * n * k, opA, opB, opC)) {
            functions
                    .gemm
                    .handle(staging.isQuick())
                    .invokeExact(
                            order,
                            code(transposeA),
                            code(transposeB),
                            m,
                            n,
                            k,
                            alpha,
                            opA.memory(),
                            opA.stride(),
                            opB.memory(),
                            opB.stride(),
                            beta,
                            opC.memory(),
                            opC.stride());
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final void syrk(
            Triangle triangle,
            Transpose transpose,
            int n,
            int k,
            double alpha,
            MemorySegment a,
            long aOffset,
            int lda,
            double beta,
            MemorySegment c,
            long cOffset,
            int ldc) {
        sizes("syrk", n, k);
        Operand opA = matrix("syrk: A", transpose, n, k, a, aOffset, lda);
        Operand opC = matrix("syrk: C", n, n, c, cOffset, ldc, part(triangle));
        if (n == 0) {
            return;
        }
        try (Staging staging = Staging.of(1.0 * n * n * k, opA, opC)) {
            functions
                    .syrk
                    .handle(staging.isQuick())
                    .invokeExact(
                            order,
                            code(triangle),
                            code(transpose),
                            n,
                            k,
                            alpha,
                            opA.memory(),
                            opA.stride(),
                            beta,
                            opC.memory(),
                            opC.stride());
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final void trsm(
            Side side,
            Triangle triangle,
            Transpose transpose,
            Diagonal diagonal,
            int m,
            int n,
            double alpha,
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment b,
            long bOffset,
            int ldb) {
        triangular(
                "trsm",
                functions.trsm,
                side,
                triangle,
                transpose,
                diagonal,
                m,
                n,
                alpha,
                a,
                aOffset,
                lda,
                b,
                bOffset,
                ldb);
    }

    @Override
    public final void trmm(
            Side side,
            Triangle triangle,
            Transpose transpose,
            Diagonal diagonal,
            int m,
            int n,
            double alpha,
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment b,
            long bOffset,
            int ldb) {
        triangular(
                "trmm",
                functions.trmm,
                side,
                triangle,
                transpose,
                diagonal,
                m,
                n,
                alpha,
                a,
                aOffset,
                lda,
                b,
                bOffset,
                ldb);
    }

    private void triangular(
            String name,
            Function function,
            Side side,
            Triangle triangle,
            Transpose transpose,
            Diagonal diagonal,
            int m,
            int n,
            double alpha,
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment b,
            long bOffset,
            int ldb) {
        sizes(name, m, n);
        int rank = side == Side.LEFT ? m : n;
        Operand opA = matrix(name + ": A", rank, rank, a, aOffset, lda, Part.NONE);
        Operand opB = matrix(name + ": B", m, n, b, bOffset, ldb, Part.ALL);
        if (opB.elements() == 0) {
            return;
        }
        try (Staging staging = Staging.of(1.0 * m * n * rank, opA, opB)) {
            function.handle(staging.isQuick())
                    .invokeExact(
                            order,
                            side == Side.LEFT ? 141 : 142,
                            code(triangle),
                            code(transpose),
                            diagonal == Diagonal.UNIT ? 132 : 131,
                            m,
                            n,
                            alpha,
                            opA.memory(),
                            opA.stride(),
                            opB.memory(),
                            opB.stride());
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final void getrf(
            int m, int n, MemorySegment a, long aOffset, int lda, MemorySegment pivots, long pivotsOffset) {
        sizes("getrf", m, n);
        Operand opA = matrix("getrf: A", m, n, a, aOffset, lda, Part.ALL);
        int rank = Math.min(m, n);
        MemorySegment exchanged = pivots("getrf", pivots, pivotsOffset, rank, true);
        if (rank == 0) {
            return;
        }
        int info;
        try (Arena arena = Arena.ofConfined();
                Staging staging = Staging.of(2.0 / 3 * m * n * rank, opA)) {
            boolean quick = staging.isQuick();
            boolean rows = layout == Layout.ROW_MAJOR;
            MemorySegment found = arena.allocate(JAVA_INT, rank);
            MemorySegment columns =
                    rows ? arena.allocate(opA.elements() * functions.element.byteSize(), 64) : opA.memory();
            int stride = rows ? m : opA.stride();
            MemorySegment numbers = arena.allocateFrom(JAVA_INT, m, n, stride, 0);
            if (rows) {
                transpose(quick, m, n, opA.memory(), opA.stride(), columns, stride);
            }
            functions
                    .getrf
                    .handle(quick)
                    .invokeExact(numbers, numbers.asSlice(4), columns, numbers.asSlice(8), found, numbers.asSlice(12));
            if (rows) {
                transpose(quick, n, m, columns, stride, opA.memory(), opA.stride());
            }
            MemorySegment.copy(found, 0, exchanged, 0, found.byteSize());
            info = numbers.getAtIndex(JAVA_INT, 3);
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
        refuseArgument("getrf", info);
        if (info > 0) {
            throw new SingularMatrixException(info, rank);
        }
    }

    @Override
    public final void getrs(
            Transpose transpose,
            int n,
            int k,
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment pivots,
            long pivotsOffset,
            MemorySegment b,
            long bOffset,
            int ldb) {
        sizes("getrs", n, k);
        matrix("getrs: A", n, n, a, aOffset, lda, Part.NONE);
        matrix("getrs: B", n, k, b, bOffset, ldb, Part.ALL);
        if (transpose == Transpose.NO) {
            laswp(n, k, b, bOffset, ldb, 0, n, pivots, pivotsOffset, true);
            trsm(Side.LEFT, Triangle.LOWER, transpose, Diagonal.UNIT, n, k, 1, a, aOffset, lda, b, bOffset, ldb);
            trsm(Side.LEFT, Triangle.UPPER, transpose, Diagonal.NON_UNIT, n, k, 1, a, aOffset, lda, b, bOffset, ldb);
        } else {
            checkPivots("getrs", pivots("getrs", pivots, pivotsOffset, n, false), 0, n, n);
            trsm(Side.LEFT, Triangle.UPPER, transpose, Diagonal.NON_UNIT, n, k, 1, a, aOffset, lda, b, bOffset, ldb);
            trsm(Side.LEFT, Triangle.LOWER, transpose, Diagonal.UNIT, n, k, 1, a, aOffset, lda, b, bOffset, ldb);
            laswp(n, k, b, bOffset, ldb, 0, n, pivots, pivotsOffset, false);
        }
    }

    @Override
    public final void potrf(Triangle triangle, int n, MemorySegment a, long aOffset, int lda) {
        sizes("potrf", n);
        Operand opA = matrix("potrf: A", n, n, a, aOffset, lda, part(triangle));
        if (n == 0) {
            return;
        }
        boolean upper = (triangle == Triangle.UPPER) == (layout == Layout.COLUMN_MAJOR);
        int info;
        try (Arena arena = Arena.ofConfined();
                Staging staging = Staging.of(1.0 / 3 * n * n * n, opA)) {
            MemorySegment numbers = arena.allocateFrom(JAVA_INT, n, opA.stride(), 0);
            MemorySegment letter = arena.allocateFrom(JAVA_BYTE, (byte) (upper ? 'U' : 'L'));
            functions
                    .potrf
                    .handle(staging.isQuick())
                    .invokeExact(letter, numbers, opA.memory(), numbers.asSlice(4), numbers.asSlice(8));
            info = numbers.getAtIndex(JAVA_INT, 2);
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
        refuseArgument("potrf", info);
        if (info > 0) {
            throw new IndefiniteMatrixException(info, n);
        }
    }

    @Override
    public final void laswp(
            int m,
            int n,
            MemorySegment a,
            long aOffset,
            int lda,
            int first,
            int last,
            MemorySegment pivots,
            long pivotsOffset,
            boolean forward) {
        sizes("laswp", m, n);
        if (first < 0 || last < first || last > m) {
            throw new IllegalArgumentException(
                    "laswp: rows " + first + " to before " + last + " are not rows of a matrix with " + m);
        }
        Operand opA = matrix("laswp: A", m, n, a, aOffset, lda, Part.ALL);
        MemorySegment exchanged = pivots("laswp", pivots, pivotsOffset, last, false);
        checkPivots("laswp", exchanged, first, last, m);
        boolean rows = layout == Layout.ROW_MAJOR;
        long rowDistance = rows ? opA.stride() : 1;
        int elementDistance = rows ? 1 : opA.stride();
        for (int i = first; i < last; i++) {
            int row = forward ? i : first + last - 1 - i;
            int other = exchanged.getAtIndex(JAVA_INT_UNALIGNED, row) - 1;
            if (other != row && n > 0) {
                swap(n, opA, row * rowDistance, other * rowDistance, elementDistance);
            }
        }
    }

    private void swap(int n, Operand matrix, long one, long other, int distance) {
        boolean quick = n <= Staging.PIECE || !matrix.isNative();
        MethodHandle swap = functions.swap.handle(quick);
        int piece = quick ? Staging.PIECE : n;
        try {
            for (int done = 0; done < n; done += piece) {
                long shift = (long) done * distance;
                swap.invokeExact(
                        Math.min(piece, n - done),
                        matrix.from(one + shift),
                        distance,
                        matrix.from(other + shift),
                        distance);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    /** Writes {@code from}, with {@code rows} rows, into {@code to} as its transpose. */
    private void transpose(
            boolean quick, int rows, int columns, MemorySegment from, int fromStride, MemorySegment to, int toStride)
            throws Throwable {
        functions.omatcopy.handle(quick).invokeExact(101, 112, rows, columns, 1.0, from, fromStride, to, toStride);
    }

    /** {@code y = beta y}, where {@code beta} of zero clears whatever is there, as in BLAS. */
    private void clearOrScale(Operand y, double beta) {
        int n = Math.toIntExact(y.elements());
        if (beta != 0) {
            scal(n, beta, y.memory(), 0, y.stride());
            return;
        }
        for (long i = 0; i < n; i++) {
            y.from(i * y.stride()).asSlice(0, functions.element.byteSize()).fill((byte) 0);
        }
    }

    private Operand vector(String what, int n, MemorySegment memory, long offset, int stride, Part written) {
        return new Operand(what, functions.element, n, 1, memory, offset, stride, written);
    }

    private Operand matrix(
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
    private Operand matrix(
            String what, Transpose op, int rows, int columns, MemorySegment memory, long offset, int leading) {
        return op == Transpose.NO
                ? matrix(what, rows, columns, memory, offset, leading, Part.NONE)
                : matrix(what, columns, rows, memory, offset, leading, Part.NONE);
    }

    private static MemorySegment pivots(String routine, MemorySegment pivots, long offset, int count, boolean written) {
        return new Operand(routine + ": pivots", JAVA_INT, count, 1, pivots, offset, 1, written ? Part.ALL : Part.NONE)
                .memory();
    }

    /** Pivots come from users, and native code would exchange with whatever memory they name. */
    private static void checkPivots(String routine, MemorySegment pivots, int first, int last, int m) {
        for (int i = first; i < last; i++) {
            int pivot = pivots.getAtIndex(JAVA_INT_UNALIGNED, i);
            if (pivot < 1 || pivot > m) {
                throw new IllegalArgumentException(
                        routine + ": pivot " + i + " is " + pivot + ", and rows are counted from 1 to " + m);
            }
        }
    }

    private static void sizes(String routine, int... sizes) {
        for (int size : sizes) {
            if (size < 0) {
                throw new IllegalArgumentException(
                        routine + ": sizes must not be negative, but are " + Arrays.toString(sizes));
            }
        }
    }

    /** A negative status: the library refused an argument that our checks had let through. */
    private static void refuseArgument(String routine, int info) {
        if (info < 0) {
            throw new IllegalStateException(routine + ": the library refused its argument " + -info);
        }
    }

    /** The elements of a line that belong to {@code triangle}. */
    private Part part(Triangle triangle) {
        return (triangle == Triangle.UPPER) == (layout == Layout.ROW_MAJOR) ? Part.FROM_DIAGONAL : Part.TO_DIAGONAL;
    }

    private static int code(Transpose transpose) {
        return transpose == Transpose.NO ? 111 : 112;
    }

    private static int code(Triangle triangle) {
        return triangle == Triangle.UPPER ? 121 : 122;
    }
}
