package dev.jacquard.devices.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Arguments;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.SourceKernel;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.BlasRoutines;
import dev.jacquard.numerics.blas.Blases;
import dev.jacquard.numerics.blas.Operand;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * C += A B in blocks, which are parts of three matrices: a BLAS library on the host, one work item per element of a
 * block on devices.
 */
class MatrixProductTest {
    private static final int SIDE = 96;
    private static final int BLOCK = 32;

    private static final BlasRoutines<double[]> BLAS = Blases.open("auto").doubles();

    private static final Kernel GEMM = Kernel.named("gemm")
            .parameters("a", "b", "c")
            .onDevice(ExecutionTarget.CUDA, perElement(Language.CUDA, "gemm.cu"))
            .onDevice(ExecutionTarget.OPENCL, perElement(Language.OPENCL_C, "gemm.cl"))
            .onHost(MatrixProductTest::gemm);

    private static SourceKernel perElement(Language language, String name) {
        return SourceKernel.perElement2d(KernelSource.resource(language, MatrixProductTest.class, name, "gemm"));
    }

    private static void gemm(Arguments arguments) {
        Memory a = arguments.memory("a");
        Memory b = arguments.memory("b");
        Memory c = arguments.memory("c");
        BLAS.gemm(
                Transpose.NO,
                Transpose.NO,
                (int) c.extent(0),
                (int) c.extent(1),
                (int) a.extent(1),
                1,
                operand(a),
                operand(b),
                1,
                operand(c));
    }

    /** Blocks of the user's arrays lie there as rows with gaps, elsewhere without. */
    private static Operand<double[]> operand(Memory block) {
        return Operand.of(block.segment(), 0, (int) block.layout().stride(0));
    }

    /** The program. What it runs on is the session's. */
    private static void multiply(Session session, double[] as, double[] bs, double[] cs) {
        Data a = session.data().matrix("a", as, SIDE, SIDE);
        Data b = session.data().matrix("b", bs, SIDE, SIDE);
        Data c = session.data().matrix("c", cs, SIDE, SIDE);
        for (int i = 0; i < SIDE; i += BLOCK) {
            for (int j = 0; j < SIDE; j += BLOCK) {
                for (int k = 0; k < SIDE; k += BLOCK) {
                    session.graph()
                            .task("gemm")
                            .reads(a.block(i, k, BLOCK, BLOCK))
                            .reads(b.block(k, j, BLOCK, BLOCK))
                            .updates(c.block(i, j, BLOCK, BLOCK))
                            .run(GEMM);
                }
            }
        }
        session.data().fetch(c);
    }

    @TestFactory
    Stream<DynamicTest> runs() {
        return Everywhere.run(session -> {
            double[] a = new double[SIDE * SIDE];
            double[] b = new double[SIDE * SIDE];
            double[] c = new double[SIDE * SIDE];
            for (int i = 0; i < SIDE * SIDE; i++) {
                a[i] = i % 17 - 8; // small integers: the sums are exact in any order
                b[i] = i % 13 - 6;
            }
            multiply(session, a, b, c);
            for (int i = 0; i < SIDE; i++) {
                for (int j = 0; j < SIDE; j++) {
                    double sum = 0;
                    for (int k = 0; k < SIDE; k++) {
                        sum += a[i * SIDE + k] * b[k * SIDE + j];
                    }
                    assertEquals(sum, c[i * SIDE + j]);
                }
            }
        });
    }
}
