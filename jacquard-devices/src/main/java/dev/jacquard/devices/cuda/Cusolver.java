package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Binding.Symbol;
import dev.jacquard.base.foreign.Found;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Optional;

/**
 * Dense factorizations by cuSOLVER, on a stream: calls return at once, and are done in the stream's order. Matrices are
 * column-major doubles. Whether a factorization succeeded is in {@code info}, an int on the device: 0, or the 1-based
 * row where it ended, or minus the number of a wrong argument.
 *
 * <p>Threads: as for the stream. Comes to its end before the stream does.
 *
 * <p>Source: {@code cusolverDn.h}, version 11 and later.
 */
public final class Cusolver implements AutoCloseable {
    private static final Map<Integer, String> STATUSES = Map.of(
            1, "NOT_INITIALIZED",
            2, "ALLOC_FAILED",
            3, "INVALID_VALUE",
            4, "ARCH_MISMATCH",
            5, "MAPPING_ERROR",
            6, "EXECUTION_FAILED",
            7, "INTERNAL_ERROR",
            9, "NOT_SUPPORTED");

    private final Calls calls;
    private final VendorStream stream;
    private final long handle;
    private boolean closed;

    private Cusolver(Calls calls, VendorStream stream) {
        this.calls = calls;
        this.stream = stream;
        handle = stream.handle(calls::create, calls::setStream);
    }

    /** The reason for its absence, if it is absent. */
    public static Optional<String> absence() {
        return Holder.CALLS.absence();
    }

    /**
     * Begins to use it.
     *
     * @throws IllegalStateException when it is absent
     * @throws IllegalArgumentException when the stream is not of a CUDA device
     */
    public static Cusolver on(DeviceStream stream) {
        return new Cusolver(Holder.CALLS.orThrow(), VendorStream.of(stream, "cuSOLVER", STATUSES));
    }

    /** The number of doubles that {@link #dgetrf} needs to work in. */
    public int dgetrfWork(int m, int n, Cublas.Operand a) {
        long atA = a.matrix(stream.device(), m, n, Double.BYTES);
        return work(calls::dgetrfBufferSize, m, n, atA, a.stride(), "plan an LU factorization");
    }

    private int work(BufferSize function, int first, int n, long a, int stride, String what) {
        stream.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(ValueLayout.JAVA_INT);
            stream.check(function.of(handle, first, n, a, stride, size.address()), what);
            return size.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * Factorizes {@code a = P L U} in its place.
     *
     * @param m rows of {@code a}
     * @param n its columns
     * @param work at least {@link #dgetrfWork} doubles
     * @param pivots {@code min(m, n)} ints
     * @param info an int
     */
    public void dgetrf(int m, int n, Cublas.Operand a, DeviceBuffer work, DeviceBuffer pivots, DeviceBuffer info) {
        long atA = a.matrix(stream.device(), m, n, Double.BYTES);
        int doubles = dgetrfWork(m, n, a);
        long atWork = array(work, doubles, Double.BYTES);
        long atPivots = array(pivots, Math.min(m, n), Integer.BYTES);
        long atInfo = array(info, 1, Integer.BYTES);
        if (stream.works()) {
            stream.check(calls.dgetrf(handle, m, n, atA, a.stride(), atWork, atPivots, atInfo), "factorize by LU");
        }
    }

    /**
     * Solves {@code A X = B}, or with the transpose of {@code A}, in the place of {@code b}, from the factors of
     * {@code A} by {@link #dgetrf}.
     *
     * @param n rows of {@code A} and {@code B}
     * @param columns of {@code B}
     */
    public void dgetrs(
            boolean transpose,
            int n,
            int columns,
            Cublas.Operand a,
            DeviceBuffer pivots,
            Cublas.Operand b,
            DeviceBuffer info) {
        long atA = a.matrix(stream.device(), n, n, Double.BYTES);
        long atB = b.matrix(stream.device(), n, columns, Double.BYTES);
        long atPivots = array(pivots, n, Integer.BYTES);
        long atInfo = array(info, 1, Integer.BYTES);
        if (stream.works()) {
            int status = calls.dgetrs(
                    handle, transpose ? 1 : 0, n, columns, atA, a.stride(), atPivots, atB, b.stride(), atInfo);
            stream.check(status, "solve by LU");
        }
    }

    /** The number of doubles that {@link #dpotrf} needs to work in. */
    public int dpotrfWork(boolean upper, int n, Cublas.Operand a) {
        long atA = a.matrix(stream.device(), n, n, Double.BYTES);
        return work(calls::dpotrfBufferSize, upper ? 1 : 0, n, atA, a.stride(), "plan a Cholesky factorization");
    }

    /**
     * Factorizes the symmetric positive definite {@code a} by Cholesky's method, in the place of its lower or upper
     * triangle; the other one is neither read nor written.
     *
     * @param work at least {@link #dpotrfWork} doubles
     * @param info an int
     */
    public void dpotrf(boolean upper, int n, Cublas.Operand a, DeviceBuffer work, DeviceBuffer info) {
        long atA = a.matrix(stream.device(), n, n, Double.BYTES);
        int doubles = dpotrfWork(upper, n, a);
        long atWork = array(work, doubles, Double.BYTES);
        long atInfo = array(info, 1, Integer.BYTES);
        if (stream.works()) {
            stream.check(
                    calls.dpotrf(handle, upper ? 1 : 0, n, atA, a.stride(), atWork, doubles, atInfo),
                    "factorize by Cholesky's method");
        }
    }

    private long array(DeviceBuffer buffer, int entries, int entryBytes) {
        return Cublas.Operand.of(buffer, 1).vector(stream.device(), entries, entryBytes);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            stream.enter();
            stream.check(calls.destroy(handle), "end");
        }
    }

    private interface Calls {
        @Symbol("cusolverDnCreate")
        int create(long handle);

        @Symbol("cusolverDnDestroy")
        int destroy(long handle);

        @Symbol("cusolverDnSetStream")
        int setStream(long handle, long stream);

        @Symbol("cusolverDnDgetrf_bufferSize")
        int dgetrfBufferSize(long handle, int m, int n, long a, int stride, long size);

        @Symbol("cusolverDnDgetrf")
        int dgetrf(long handle, int m, int n, long a, int stride, long work, long pivots, long info);

        @Symbol("cusolverDnDgetrs")
        int dgetrs(
                long handle,
                int transpose,
                int n,
                int columns,
                long a,
                int strideA,
                long pivots,
                long b,
                int strideB,
                long info);

        @Symbol("cusolverDnDpotrf_bufferSize")
        int dpotrfBufferSize(long handle, int upper, int n, long a, int stride, long size);

        @Symbol("cusolverDnDpotrf")
        int dpotrf(long handle, int upper, int n, long a, int stride, long work, int doubles, long info);
    }

    /** One of the functions that tell how much memory a factorization works in. */
    private interface BufferSize {
        int of(long handle, int first, int n, long a, int stride, long size);
    }

    private static final class Holder {
        static final Found<Calls> CALLS =
                CudaLibraries.cusolver().map(Binding.of(MethodHandles.lookup(), Calls.class)::to);
    }
}
