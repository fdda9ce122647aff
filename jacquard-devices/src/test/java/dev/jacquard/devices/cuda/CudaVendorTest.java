package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The vendor's libraries on a stream give what their definitions say; skipped, with the reason, where one is absent.
 */
class CudaVendorTest {
    private static void need(String library, Optional<String> absence) {
        assumeTrue(absence.isEmpty(), () -> library + " is absent: " + absence.orElse(""));
    }

    @Test
    void whatIsAbsentSaysWhy() {
        Cublas.absence().ifPresent(why -> assertTrue(why.contains("libcublas"), why));
        Cufft.absence().ifPresent(why -> assertTrue(why.contains("libcufft"), why));
        Cusolver.absence().ifPresent(why -> assertTrue(why.contains("libcu"), why));
    }

    @Test
    void cublasAddsVectors() {
        need("cuBLAS", Cublas.absence());
        try (Bench b = new Bench()) {
            DeviceBuffer x = b.in(random(2000, 1));
            DeviceBuffer y = b.in(random(1000, 2));
            try (Cublas blas = Cublas.on(b.stream)) {
                blas.daxpy(1000, 3, Cublas.Operand.of(x, 2), Cublas.Operand.of(y, 1));
                assertThrows(
                        IllegalArgumentException.class,
                        () -> blas.daxpy(1001, 3, Cublas.Operand.of(x, 2), Cublas.Operand.of(y, 1)));
            }
            double[] sum = b.out(y, 1000);
            double[] atX = random(2000, 1);
            double[] atY = random(1000, 2);
            for (int i = 0; i < 1000; i++) {
                assertEquals(atY[i] + 3 * atX[2 * i], sum[i], 1e-12);
            }
        }
    }

    @Test
    void cublasMultipliesMatrices() {
        need("cuBLAS", Cublas.absence());
        int m = 37;
        int n = 29;
        int k = 53;
        double[] a = random(k * m, 3); // Transposed: k x m.
        double[] b = random(k * n, 4);
        double[] c = random(m * n, 5);
        try (Bench bench = new Bench()) {
            DeviceBuffer onC = bench.in(c);
            try (Cublas blas = Cublas.on(bench.stream)) {
                blas.dgemm(
                        true,
                        false,
                        m,
                        n,
                        k,
                        2,
                        Cublas.Operand.of(bench.in(a), k),
                        Cublas.Operand.of(bench.in(b), k),
                        -1,
                        Cublas.Operand.of(onC, m));
            }
            double[] product = bench.out(onC, m * n);
            for (int row = 0; row < m; row++) {
                for (int column = 0; column < n; column++) {
                    double sum = 0;
                    for (int i = 0; i < k; i++) {
                        sum += a[i + k * row] * b[i + k * column];
                    }
                    assertEquals(2 * sum - c[row + m * column], product[row + m * column], 1e-11);
                }
            }
        }
    }

    @Test
    void cufftTransformsThereAndBack() {
        need("cuFFT", Cufft.absence());
        int rows = 12;
        int columns = 10;
        int half = columns / 2 + 1;
        double[] image = random(rows * columns, 6);
        try (Bench b = new Bench()) {
            DeviceBuffer onImage = b.in(image);
            DeviceBuffer spectrum = b.in(new double[2 * rows * half]);
            try (Cufft fft = Cufft.plan(b.stream, Cufft.Precision.DOUBLE, rows, columns)) {
                fft.forward(onImage, spectrum);
                double[] values = b.out(spectrum, 2 * rows * half);
                for (int v = 0; v < rows; v++) {
                    for (int u = 0; u < half; u++) {
                        double re = 0;
                        double im = 0;
                        for (int i = 0; i < image.length; i++) {
                            int y = i / columns;
                            int x = i % columns;
                            double angle = -2 * Math.PI * ((double) v * y / rows + (double) u * x / columns);
                            re += image[i] * Math.cos(angle);
                            im += image[i] * Math.sin(angle);
                        }
                        assertEquals(re, values[2 * (v * half + u)], 1e-10);
                        assertEquals(im, values[2 * (v * half + u) + 1], 1e-10);
                    }
                }
                fft.inverse(spectrum, onImage);
            }
            double[] back = b.out(onImage, image.length);
            for (int i = 0; i < image.length; i++) {
                assertEquals(image[i], back[i] / image.length, 1e-12);
            }
        }
    }

    @Test
    void cusolverSolvesByLu() {
        need("cuSOLVER", Cusolver.absence());
        int n = 40;
        double[] a = random(n * n, 7);
        double[] x = random(n, 8);
        double[] right = times(a, x, n);
        try (Bench b = new Bench()) {
            DeviceBuffer onA = b.in(a);
            DeviceBuffer onB = b.in(right);
            DeviceBuffer pivots = b.in(new double[n]);
            DeviceBuffer info = b.in(new double[1]);
            try (Cusolver solver = Cusolver.on(b.stream)) {
                Cublas.Operand matrix = Cublas.Operand.of(onA, n);
                DeviceBuffer work = b.in(new double[Math.max(1, solver.dgetrfWork(n, n, matrix))]);
                solver.dgetrf(n, n, matrix, work, pivots, info);
                solver.dgetrs(false, n, 1, matrix, pivots, Cublas.Operand.of(onB, n), info);
                b.finish();
            }
            assertEquals(0.0, b.out(info, 1)[0]);
            double[] found = b.out(onB, n);
            for (int i = 0; i < n; i++) {
                assertEquals(x[i], found[i], 1e-8);
            }
        }
    }

    @Test
    void cusolverFactorizesByCholeskysMethod() {
        need("cuSOLVER", Cusolver.absence());
        int n = 30;
        double[] root = random(n * n, 9);
        double[] a = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    a[i + n * j] += root[i + n * k] * root[j + n * k];
                }
            }
            a[i + n * i] += n;
        }
        try (Bench b = new Bench()) {
            DeviceBuffer onA = b.in(a);
            DeviceBuffer info = b.in(new double[1]);
            try (Cusolver solver = Cusolver.on(b.stream)) {
                Cublas.Operand matrix = Cublas.Operand.of(onA, n);
                DeviceBuffer work = b.in(new double[Math.max(1, solver.dpotrfWork(false, n, matrix))]);
                solver.dpotrf(false, n, matrix, work, info);
                b.finish();
            }
            assertEquals(0.0, b.out(info, 1)[0]);
            double[] lower = b.out(onA, n * n);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    double sum = 0;
                    for (int k = 0; k <= j; k++) {
                        sum += lower[i + n * k] * lower[j + n * k];
                    }
                    assertEquals(a[i + n * j], sum, 1e-10);
                }
            }
        }
    }

    private static double[] times(double[] a, double[] x, int n) {
        double[] product = new double[n];
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                product[i] += a[i + n * j] * x[j];
            }
        }
        return product;
    }

    private static double[] random(int n, long seed) {
        return new SplittableRandom(seed).doubles(n, -1, 1).toArray();
    }

    /** A device with a stream; what is copied in lives as long. */
    private static final class Bench implements AutoCloseable {
        private final Device device = CudaDeviceTest.firstDevice();
        private final DeviceStream stream = device.stream("vendor");

        DeviceBuffer in(double[] values) {
            DeviceBuffer buffer = device.allocate(8L * values.length);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment host = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, values);
                stream.copyIn(host, buffer, CopyShape.run(0, 0, buffer.bytes()));
                finish();
            }
            return buffer;
        }

        double[] out(DeviceBuffer buffer, int n) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment host = arena.allocate(ValueLayout.JAVA_DOUBLE, n);
                stream.copyOut(buffer, host, CopyShape.run(0, 0, 8L * n));
                finish();
                return host.toArray(ValueLayout.JAVA_DOUBLE);
            }
        }

        void finish() {
            try (DeviceEvent end = stream.record()) {
                end.await();
            }
        }

        @Override
        public void close() {
            device.close();
        }
    }
}
