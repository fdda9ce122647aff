package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Binding.Symbol;
import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Optional;

/**
 * cuBLAS on a stream: calls return at once, and are done in the stream's order. Matrices are column-major.
 *
 * <pre>{@code
 * try (Cublas blas = Cublas.on(stream)) {
 *     blas.dgemm(false, false, m, n, k, 1, Operand.of(a, m), Operand.of(b, k), 0, Operand.of(c, m));
 * }
 * }</pre>
 *
 * <p>Threads: as for the stream. Comes to its end before the stream does.
 *
 * <p>Source: {@code cublas_api.h}, version 11 and later.
 */
public final class Cublas implements AutoCloseable {
    private static final Map<Integer, String> STATUSES = Map.of(
            1, "NOT_INITIALIZED",
            3, "ALLOC_FAILED",
            7, "INVALID_VALUE",
            8, "ARCH_MISMATCH",
            11, "MAPPING_ERROR",
            13, "EXECUTION_FAILED",
            14, "INTERNAL_ERROR",
            15, "NOT_SUPPORTED",
            16, "LICENSE_ERROR");

    private final Precisions calls;
    private final VendorStream stream;
    private final long handle;
    private final Arena arena = Arena.ofShared();

    /** Factors, which the library reads during the call. */
    private final MemorySegment alpha = arena.allocate(ValueLayout.JAVA_DOUBLE);

    private final MemorySegment beta = arena.allocate(ValueLayout.JAVA_DOUBLE);
    private boolean closed;

    private Cublas(Precisions calls, VendorStream stream) {
        this.calls = calls;
        this.stream = stream;
        handle = stream.handle(calls.floats::create, calls.floats::setStream);
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
    public static Cublas on(DeviceStream stream) {
        return new Cublas(Holder.CALLS.orThrow(), VendorStream.of(stream, "cuBLAS", STATUSES));
    }

    /** {@code y += a x}, for vectors of {@code n} floats. */
    public void saxpy(int n, float a, Operand x, Operand y) {
        long atX = x.vector(stream.device(), n, Float.BYTES);
        long atY = y.vector(stream.device(), n, Float.BYTES);
        alpha.set(ValueLayout.JAVA_FLOAT, 0, a);
        axpy(calls.floats, n, atX, x.stride(), atY, y.stride());
    }

    /** {@code y += a x}, for vectors of {@code n} doubles. */
    public void daxpy(int n, double a, Operand x, Operand y) {
        long atX = x.vector(stream.device(), n, Double.BYTES);
        long atY = y.vector(stream.device(), n, Double.BYTES);
        alpha.set(ValueLayout.JAVA_DOUBLE, 0, a);
        axpy(calls.doubles, n, atX, x.stride(), atY, y.stride());
    }

    private void axpy(Calls precision, int n, long x, int incx, long y, int incy) {
        if (stream.works()) {
            stream.check(precision.axpy(handle, n, alpha.address(), x, incx, y, incy), "add vectors");
        }
    }

    /**
     * {@code c = alpha op(a) op(b) + beta c}, in floats; {@code op} transposes where asked for.
     *
     * @param m rows of {@code op(a)} and {@code c}
     * @param n columns of {@code op(b)} and {@code c}
     * @param k columns of {@code op(a)}, rows of {@code op(b)}
     */
    public void sgemm(
            boolean transposeA,
            boolean transposeB,
            int m,
            int n,
            int k,
            float alpha,
            Operand a,
            Operand b,
            float beta,
            Operand c) {
        this.alpha.set(ValueLayout.JAVA_FLOAT, 0, alpha);
        this.beta.set(ValueLayout.JAVA_FLOAT, 0, beta);
        gemm(calls.floats, Float.BYTES, transposeA, transposeB, m, n, k, a, b, c);
    }

    /** As {@link #sgemm}, in doubles. */
    public void dgemm(
            boolean transposeA,
            boolean transposeB,
            int m,
            int n,
            int k,
            double alpha,
            Operand a,
            Operand b,
            double beta,
            Operand c) {
        this.alpha.set(ValueLayout.JAVA_DOUBLE, 0, alpha);
        this.beta.set(ValueLayout.JAVA_DOUBLE, 0, beta);
        gemm(calls.doubles, Double.BYTES, transposeA, transposeB, m, n, k, a, b, c);
    }

    private void gemm(
            Calls precision,
            int entryBytes,
            boolean transposeA,
            boolean transposeB,
            int m,
            int n,
            int k,
            Operand a,
            Operand b,
            Operand c) {
        CudaDevice device = stream.device();
        long atA = a.matrix(device, transposeA ? k : m, transposeA ? m : k, entryBytes);
        long atB = b.matrix(device, transposeB ? n : k, transposeB ? k : n, entryBytes);
        long atC = c.matrix(device, m, n, entryBytes);
        if (stream.works()) {
            int status = precision.gemm(
                    handle,
                    transposeA ? 1 : 0,
                    transposeB ? 1 : 0,
                    m,
                    n,
                    k,
                    alpha.address(),
                    atA,
                    a.stride(),
                    atB,
                    b.stride(),
                    beta.address(),
                    atC,
                    c.stride());
            stream.check(status, "multiply matrices");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            arena.close();
            stream.enter();
            stream.check(calls.floats.destroy(handle), "end");
        }
    }

    /** Its functions in one precision, with the letter {@code ?}; {@code _v2} are the names that its header maps to. */
    private interface Calls {
        @Symbol("cublasCreate_v2")
        int create(long handle);

        @Symbol("cublasDestroy_v2")
        int destroy(long handle);

        @Symbol("cublasSetStream_v2")
        int setStream(long handle, long stream);

        @Symbol("cublas?axpy_v2")
        int axpy(long handle, int n, long alpha, long x, int strideX, long y, int strideY);

        @Symbol("cublas?gemm_v2")
        int gemm(
                long handle,
                int transposeA,
                int transposeB,
                int m,
                int n,
                int k,
                long alpha,
                long a,
                int strideA,
                long b,
                int strideB,
                long beta,
                long c,
                int strideC);
    }

    private record Precisions(Calls floats, Calls doubles) {
        static Precisions of(NativeLibrary library) {
            Binding<Calls> calls = Binding.of(MethodHandles.lookup(), Calls.class);
            return new Precisions(
                    calls.named(name -> name.replace('?', 'S')).to(library),
                    calls.named(name -> name.replace('?', 'D')).to(library));
        }
    }

    private static final class Holder {
        static final Found<Precisions> CALLS = CudaLibraries.cublas().map(Precisions::of);
    }

    /**
     * A vector or a matrix in a buffer. Matrices are column-major, as the vendor's libraries have them.
     *
     * @param offset where it begins, in bytes
     * @param stride elements from one entry of a vector to the next, or from one column of a matrix to the next; at
     *     least 1
     */
    public record Operand(DeviceBuffer buffer, long offset, int stride) {
        public Operand {
            if (offset < 0 || stride < 1) {
                throw new IllegalArgumentException(
                        "an operand begins at byte 0 or later, with a stride of at least 1, not at " + offset + " with "
                                + stride);
            }
        }

        /** One that begins where the buffer does. */
        public static Operand of(DeviceBuffer buffer, int stride) {
            return new Operand(buffer, 0, stride);
        }

        /** Returns the address of a vector of {@code entries} entries on {@code device}. */
        long vector(CudaDevice device, int entries, int entryBytes) {
            return within(device, ((entries - 1L) * stride + 1) * entryBytes);
        }

        /** Returns the address of a matrix on {@code device}. */
        long matrix(CudaDevice device, int rows, int columns, int entryBytes) {
            if (stride < rows) {
                throw new IllegalArgumentException("columns of " + rows + " entries overlap at a stride of " + stride);
            }
            return within(device, ((columns - 1L) * stride + rows) * entryBytes);
        }

        private long within(CudaDevice device, long bytes) {
            CudaBuffer own = device.own(buffer);
            if (bytes > own.bytes() - offset) {
                throw new IllegalArgumentException(
                        "an operand ends at byte " + (offset + bytes) + " of a buffer of " + own.bytes());
            }
            return own.address() + offset;
        }
    }
}
