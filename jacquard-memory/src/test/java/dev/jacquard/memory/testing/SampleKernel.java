package dev.jacquard.memory.testing;

import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * A kernel of the suite for devices, in every language.
 *
 * @param function its name
 * @param text for compilers, in words that {@link #source} makes the language's own
 * @param code for emulated devices
 * @param parameters what it takes
 */
public record SampleKernel(String function, String text, EmulatedBody.Code code, List<Class<?>> parameters) {
    /** {@code y[i] += a x[i]} for i &lt; n; arguments x, y (doubles), a (double), n (int). */
    public static final SampleKernel AXPY = new SampleKernel(
            "axpy",
            """
            KERNEL axpy(GLOBAL const double* x, GLOBAL double* y, double a, int n) {
                int i = X;
                if (i < n) y[i] += a * x[i];
            }
            """,
            SampleKernel::axpy,
            List.of(DeviceBuffer.class, DeviceBuffer.class, Double.class, Integer.class));
    /** Writes all its numbers, as doubles; arguments out (4 doubles), int, long, float, double. */
    public static final SampleKernel NUMBERS = new SampleKernel(
            "numbers",
            """
            KERNEL numbers(GLOBAL double* out, int i, LONG l, float f, double d) {
                if (X == 0) {
                    out[0] = i;
                    out[1] = (double) l;
                    out[2] = f;
                    out[3] = d;
                }
            }
            """,
            SampleKernel::numbers,
            List.of(DeviceBuffer.class, Integer.class, Long.class, Float.class, Double.class));
    /** Adds 1 to the cell of each item, x fastest; arguments cells (ints), how many there are in x, y and z (ints). */
    public static final SampleKernel GRID = new SampleKernel(
            "grid", """
            KERNEL grid(GLOBAL int* cells, int nx, int ny, int nz) {
                int x = X;
                int y = Y;
                int z = Z;
                if (x < nx && y < ny && z < nz) cells[x + nx * (y + ny * z)] += 1;
            }
            """, SampleKernel::grid, List.of(DeviceBuffer.class, Integer.class, Integer.class, Integer.class));

    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    /** Lines before a kernel's text, so that it is one for all. */
    private static final String OPENCL_C = """
            #pragma OPENCL EXTENSION cl_khr_fp64 : enable
            #define KERNEL __kernel void
            #define GLOBAL __global
            #define LONG long
            #define X get_global_id(0)
            #define Y get_global_id(1)
            #define Z get_global_id(2)
            """;

    private static final String CUDA = """
            #define KERNEL extern "C" __global__ void
            #define GLOBAL
            #define LONG long long
            #define X (blockIdx.x * blockDim.x + threadIdx.x)
            #define Y (blockIdx.y * blockDim.y + threadIdx.y)
            #define Z (blockIdx.z * blockDim.z + threadIdx.z)
            """;

    /** For a compiler. */
    public KernelSource source(Language language) {
        return new KernelSource(language, function + " (sample)", function, prefix(language) + text);
    }

    /** A source that no compiler takes: line 2 of its text names something that there is not. */
    public static KernelSource broken(Language language) {
        String text = """
                KERNEL broken(GLOBAL double* y) {
                    y[X] = nowhere;
                }
                """;
        return new KernelSource(language, "broken (sample)", "broken", prefix(language) + text);
    }

    private static String prefix(Language language) {
        return switch (language) {
            case OPENCL_C -> OPENCL_C;
            case CUDA -> CUDA;
        };
    }

    private static void axpy(EmulatedBody.Launch launch) {
        MemorySegment x = launch.memory(0);
        MemorySegment y = launch.memory(1);
        double a = launch.doubleAt(2);
        long n = Math.min(launch.shape().items(), launch.intAt(3));
        for (long i = 0; i < n; i++) {
            y.setAtIndex(DOUBLE, i, y.getAtIndex(DOUBLE, i) + a * x.getAtIndex(DOUBLE, i));
        }
    }

    private static void numbers(EmulatedBody.Launch launch) {
        MemorySegment out = launch.memory(0);
        out.setAtIndex(DOUBLE, 0, launch.intAt(1));
        out.setAtIndex(DOUBLE, 1, (double) launch.longAt(2));
        out.setAtIndex(DOUBLE, 2, launch.floatAt(3));
        out.setAtIndex(DOUBLE, 3, launch.doubleAt(4));
    }

    private static void grid(EmulatedBody.Launch launch) {
        MemorySegment cells = launch.memory(0);
        int nx = launch.intAt(1);
        int ny = launch.intAt(2);
        int nz = launch.intAt(3);
        for (int z = 0; z < Math.min(nz, launch.shape().z()); z++) {
            for (int y = 0; y < Math.min(ny, launch.shape().y()); y++) {
                for (int x = 0; x < Math.min(nx, launch.shape().x()); x++) {
                    long i = x + (long) nx * (y + (long) ny * z);
                    cells.setAtIndex(INT, i, cells.getAtIndex(INT, i) + 1);
                }
            }
        }
    }
}
