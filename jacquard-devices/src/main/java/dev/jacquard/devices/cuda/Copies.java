package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.CopyShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * Copies of one stream, by the fewest calls: one for a run, and for rows that follow each other without gaps; one for
 * rows and planes that the driver's {@code CUDA_MEMCPY3D} can describe; else one per plane, or per row.
 *
 * <p>Threads: one at a time. Owns the structure that the driver reads during the call.
 */
final class Copies implements AutoCloseable {
    /** {@code CUDA_MEMCPY3D}, and {@code CUDA_MEMCPY3D_PEER}, which has contexts where the other has reserved words. */
    static final StructLayout MEMCPY_3D = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("srcXInBytes"),
            ValueLayout.JAVA_LONG.withName("srcY"),
            ValueLayout.JAVA_LONG.withName("srcZ"),
            ValueLayout.JAVA_LONG.withName("srcLOD"),
            ValueLayout.JAVA_INT.withName("srcMemoryType"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.JAVA_LONG.withName("srcHost"),
            ValueLayout.JAVA_LONG.withName("srcDevice"),
            ValueLayout.JAVA_LONG.withName("srcArray"),
            ValueLayout.JAVA_LONG.withName("srcContext"),
            ValueLayout.JAVA_LONG.withName("srcPitch"),
            ValueLayout.JAVA_LONG.withName("srcHeight"),
            ValueLayout.JAVA_LONG.withName("dstXInBytes"),
            ValueLayout.JAVA_LONG.withName("dstY"),
            ValueLayout.JAVA_LONG.withName("dstZ"),
            ValueLayout.JAVA_LONG.withName("dstLOD"),
            ValueLayout.JAVA_INT.withName("dstMemoryType"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.JAVA_LONG.withName("dstHost"),
            ValueLayout.JAVA_LONG.withName("dstDevice"),
            ValueLayout.JAVA_LONG.withName("dstArray"),
            ValueLayout.JAVA_LONG.withName("dstContext"),
            ValueLayout.JAVA_LONG.withName("dstPitch"),
            ValueLayout.JAVA_LONG.withName("dstHeight"),
            ValueLayout.JAVA_LONG.withName("WidthInBytes"),
            ValueLayout.JAVA_LONG.withName("Height"),
            ValueLayout.JAVA_LONG.withName("Depth"));

    private static final long FROM = offset("srcMemoryType");
    private static final long FROM_HOST = offset("srcHost");
    private static final long FROM_DEVICE = offset("srcDevice");
    private static final long FROM_CONTEXT = offset("srcContext");
    private static final long FROM_PITCH = offset("srcPitch");
    private static final long FROM_HEIGHT = offset("srcHeight");
    private static final long TO = offset("dstMemoryType");
    private static final long TO_HOST = offset("dstHost");
    private static final long TO_DEVICE = offset("dstDevice");
    private static final long TO_CONTEXT = offset("dstContext");
    private static final long TO_PITCH = offset("dstPitch");
    private static final long TO_HEIGHT = offset("dstHeight");
    private static final long WIDTH = offset("WidthInBytes");
    private static final long HEIGHT = offset("Height");
    private static final long DEPTH = offset("Depth");

    /** {@code CU_MEMORYTYPE_HOST} and {@code CU_MEMORYTYPE_DEVICE}. */
    private static final int HOST = 1;

    private static final int DEVICE = 2;

    /** {@code CU_DEVICE_ATTRIBUTE_MAX_PITCH} of all devices so far. */
    private static final long MOST_PITCH = Integer.MAX_VALUE;

    /** The direction of a copy. */
    enum Way {
        IN,
        OUT,
        WITHIN,
        /** Between two devices. */
        PEER
    }

    private final Driver driver;
    private final long stream;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment struct = arena.allocate(MEMCPY_3D);

    Copies(Driver driver, long stream) {
        this.driver = driver;
        this.stream = stream;
    }

    private static long offset(String field) {
        return MEMCPY_3D.byteOffset(PathElement.groupElement(field));
    }

    /**
     * Enqueues a copy.
     *
     * @param fromContext of the device that has {@code from}; used between devices
     * @param toContext of the device that has {@code to}; used between devices
     * @return the driver's status; calls after a failed one are not made
     */
    int enqueue(Way way, long from, long fromContext, long to, long toContext, CopyShape shape) {
        CopyShape s = joined(shape);
        from += s.fromOffset();
        to += s.toOffset();
        if (s.rows() == 1 && s.planes() == 1) {
            return run(way, from, fromContext, to, toContext, s.runBytes());
        }
        boolean rowsFit = s.fromPitch() <= MOST_PITCH && s.toPitch() <= MOST_PITCH;
        if (rowsFit
                && (s.planes() == 1
                        || (stacks(s.fromSlice(), s.fromPitch(), s.rows())
                                && stacks(s.toSlice(), s.toPitch(), s.rows())))) {
            return box(way, from, fromContext, to, toContext, s, s.planes());
        }
        for (long plane = 0; plane < s.planes(); plane++) {
            long planeFrom = from + plane * s.fromSlice();
            long planeTo = to + plane * s.toSlice();
            int status = rowsFit
                    ? box(way, planeFrom, fromContext, planeTo, toContext, s, 1)
                    : rows(way, planeFrom, fromContext, planeTo, toContext, s);
            if (status != CudaStatus.SUCCESS) {
                return status;
            }
        }
        return CudaStatus.SUCCESS;
    }

    /**
     * The same bytes in fewer, longer runs: of rows without gaps, then of planes; a row per plane becomes a plane of
     * rows.
     */
    static CopyShape joined(CopyShape shape) {
        CopyShape s = shape;
        if (s.rows() == 1 && s.planes() > 1) {
            s = new CopyShape(
                    s.fromOffset(),
                    s.toOffset(),
                    s.runBytes(),
                    s.planes(),
                    s.fromSlice(),
                    s.toSlice(),
                    1,
                    s.runBytes(),
                    s.runBytes());
        }
        if (s.rows() > 1 && s.fromPitch() == s.runBytes() && s.toPitch() == s.runBytes()) {
            long run = s.runBytes() * s.rows();
            if (s.planes() == 1) {
                return CopyShape.run(s.fromOffset(), s.toOffset(), run);
            }
            if (s.fromSlice() >= run && s.toSlice() >= run) {
                return joined(new CopyShape(
                        s.fromOffset(), s.toOffset(), run, 1, run, run, s.planes(), s.fromSlice(), s.toSlice()));
            }
        }
        return s;
    }

    /** Returns true if a plane begins at a whole number of rows after the one before, as the structure demands. */
    private static boolean stacks(long slice, long pitch, long rows) {
        return slice % pitch == 0 && slice / pitch >= rows;
    }

    private int rows(Way way, long from, long fromContext, long to, long toContext, CopyShape s) {
        for (long row = 0; row < s.rows(); row++) {
            int status =
                    run(way, from + row * s.fromPitch(), fromContext, to + row * s.toPitch(), toContext, s.runBytes());
            if (status != CudaStatus.SUCCESS) {
                return status;
            }
        }
        return CudaStatus.SUCCESS;
    }

    private int run(Way way, long from, long fromContext, long to, long toContext, long bytes) {
        return switch (way) {
            case IN -> driver.memcpyHtoDAsync(to, from, bytes, stream);
            case OUT -> driver.memcpyDtoHAsync(to, from, bytes, stream);
            case WITHIN -> driver.memcpyDtoDAsync(to, from, bytes, stream);
            case PEER -> driver.memcpyPeerAsync(to, toContext, from, fromContext, bytes, stream);
        };
    }

    private int box(Way way, long from, long fromContext, long to, long toContext, CopyShape s, long planes) {
        boolean fromHost = way == Way.IN;
        boolean toHost = way == Way.OUT;
        struct.fill((byte) 0);
        struct.set(ValueLayout.JAVA_INT, FROM, fromHost ? HOST : DEVICE);
        struct.set(ValueLayout.JAVA_LONG, fromHost ? FROM_HOST : FROM_DEVICE, from);
        struct.set(ValueLayout.JAVA_LONG, FROM_PITCH, s.fromPitch());
        struct.set(ValueLayout.JAVA_LONG, FROM_HEIGHT, planes == 1 ? s.rows() : s.fromSlice() / s.fromPitch());
        struct.set(ValueLayout.JAVA_INT, TO, toHost ? HOST : DEVICE);
        struct.set(ValueLayout.JAVA_LONG, toHost ? TO_HOST : TO_DEVICE, to);
        struct.set(ValueLayout.JAVA_LONG, TO_PITCH, s.toPitch());
        struct.set(ValueLayout.JAVA_LONG, TO_HEIGHT, planes == 1 ? s.rows() : s.toSlice() / s.toPitch());
        struct.set(ValueLayout.JAVA_LONG, WIDTH, s.runBytes());
        struct.set(ValueLayout.JAVA_LONG, HEIGHT, s.rows());
        struct.set(ValueLayout.JAVA_LONG, DEPTH, planes);
        if (way != Way.PEER) {
            return driver.memcpy3DAsync(struct.address(), stream);
        }
        struct.set(ValueLayout.JAVA_LONG, FROM_CONTEXT, fromContext);
        struct.set(ValueLayout.JAVA_LONG, TO_CONTEXT, toContext);
        return driver.memcpy3DPeerAsync(struct.address(), stream);
    }

    @Override
    public void close() {
        arena.close();
    }
}
