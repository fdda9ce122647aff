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
 * Two-dimensional transforms of reals by cuFFT, on a stream: calls return at once, and are done in the stream's order.
 * Images are row-major; spectra have {@code columns / 2 + 1} complex numbers per row; nothing is scaled.
 *
 * <p>Threads: as for the stream. Comes to its end before the stream does.
 *
 * <p>Source: {@code cufft.h}, version 10 and later.
 */
public final class Cufft implements AutoCloseable {
    private static final Map<Integer, String> STATUSES = Map.of(
            1, "INVALID_PLAN",
            2, "ALLOC_FAILED",
            3, "INVALID_TYPE",
            4, "INVALID_VALUE",
            5, "INTERNAL_ERROR",
            6, "EXEC_FAILED",
            7, "SETUP_FAILED",
            8, "INVALID_SIZE",
            11, "INVALID_DEVICE",
            16, "NOT_SUPPORTED");

    /** Of what numbers are. */
    public enum Precision {
        /** Floats. */
        SINGLE(Float.BYTES, 0x2a, 0x2c),
        /** Doubles. */
        DOUBLE(Double.BYTES, 0x6a, 0x6c);

        private final int bytes;
        /** {@code CUFFT_R2C} or {@code CUFFT_D2Z}. */
        private final int forward;
        /** {@code CUFFT_C2R} or {@code CUFFT_Z2D}. */
        private final int inverse;

        Precision(int bytes, int forward, int inverse) {
            this.bytes = bytes;
            this.forward = forward;
            this.inverse = inverse;
        }
    }

    private final Calls calls;
    private final VendorStream stream;
    private final Precision precision;
    private final int rows;
    private final int columns;
    private final int forward;
    private final int inverse;
    private boolean closed;

    private Cufft(Calls calls, VendorStream stream, Precision precision, int rows, int columns) {
        this.calls = calls;
        this.stream = stream;
        this.precision = precision;
        this.rows = rows;
        this.columns = columns;
        stream.enter();
        this.forward = plan(precision.forward);
        this.inverse = plan(precision.inverse);
    }

    private int plan(int type) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_INT);
            stream.check(calls.plan2d(result.address(), rows, columns, type), "plan " + rows + " x " + columns);
            int plan = result.get(ValueLayout.JAVA_INT, 0);
            stream.check(calls.setStream(plan, stream.stream().handle()), "use a stream");
            return plan;
        }
    }

    /** The reason for its absence, if it is absent. */
    public static Optional<String> absence() {
        return Holder.CALLS.absence();
    }

    /**
     * Plans transforms of images of one size, both ways.
     *
     * @throws IllegalStateException when it is absent
     * @throws IllegalArgumentException when the stream is not of a CUDA device, or there are no pixels
     */
    public static Cufft plan(DeviceStream stream, Precision precision, int rows, int columns) {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException("an image needs at least 1 x 1 pixels, not " + columns + " x " + rows);
        }
        return new Cufft(Holder.CALLS.orThrow(), VendorStream.of(stream, "cuFFT", STATUSES), precision, rows, columns);
    }

    /** From an image to its spectrum. */
    public void forward(DeviceBuffer image, DeviceBuffer spectrum) {
        transform(
                precision == Precision.SINGLE ? Calls::execR2C : Calls::execD2Z,
                forward,
                image,
                spectrum,
                image,
                spectrum);
    }

    /** From a spectrum, which it destroys, to the image times the number of pixels. */
    public void inverse(DeviceBuffer spectrum, DeviceBuffer image) {
        transform(
                precision == Precision.SINGLE ? Calls::execC2R : Calls::execZ2D,
                inverse,
                spectrum,
                image,
                image,
                spectrum);
    }

    private void transform(
            Execution execution,
            int plan,
            DeviceBuffer from,
            DeviceBuffer to,
            DeviceBuffer image,
            DeviceBuffer spectrum) {
        long imageBytes = (long) rows * columns * precision.bytes;
        long spectrumBytes = 2L * rows * (columns / 2 + 1) * precision.bytes;
        if (image.bytes() < imageBytes || spectrum.bytes() < spectrumBytes) {
            throw new IllegalArgumentException("transforms of " + columns + " x " + rows + " pixels need " + imageBytes
                    + " and " + spectrumBytes + " bytes, not " + image.bytes() + " and " + spectrum.bytes());
        }
        long atFrom = stream.device().own(from).address();
        long atTo = stream.device().own(to).address();
        if (stream.works()) {
            stream.check(execution.run(calls, plan, atFrom, atTo), "transform");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            stream.enter();
            stream.check(calls.destroy(forward), "end");
            stream.check(calls.destroy(inverse), "end");
        }
    }

    private interface Calls {
        @Symbol("cufftPlan2d")
        int plan2d(long plan, int rows, int columns, int type);

        @Symbol("cufftSetStream")
        int setStream(int plan, long stream);

        @Symbol("cufftExecR2C")
        int execR2C(int plan, long from, long to);

        @Symbol("cufftExecC2R")
        int execC2R(int plan, long from, long to);

        @Symbol("cufftExecD2Z")
        int execD2Z(int plan, long from, long to);

        @Symbol("cufftExecZ2D")
        int execZ2D(int plan, long from, long to);

        @Symbol("cufftDestroy")
        int destroy(int plan);
    }

    /** One of the functions that execute a plan. */
    private interface Execution {
        int run(Calls calls, int plan, long from, long to);
    }

    private static final class Holder {
        static final Found<Calls> CALLS =
                CudaLibraries.cufft().map(Binding.of(MethodHandles.lookup(), Calls.class)::to);
    }
}
