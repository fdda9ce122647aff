package dev.jacquard.devices.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.SourceKernel;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each inner point of a square becomes the mean of its four neighbours, several times: blocks with a halo of one, two
 * buffers. What devices have to exchange between steps, the halos, is copied by itself.
 */
class StencilTest {
    private static final int INNER = 64;
    private static final int SIDE = INNER + 2;
    private static final int BLOCK = 16;
    private static final int STEPS = 6;

    private static final Kernel MEAN = Kernel.named("mean")
            .parameters("from", "to")
            .onDevice(ExecutionTarget.CUDA, perElement(Language.CUDA, "mean.cu"))
            .onDevice(ExecutionTarget.OPENCL, perElement(Language.OPENCL_C, "mean.cl"))
            .onHost(arguments -> mean(arguments.memory("from"), arguments.memory("to")));

    private static SourceKernel perElement(Language language, String name) {
        return SourceKernel.perElement2d(KernelSource.resource(language, StencilTest.class, name, "mean"));
    }

    /** From a block with its halo to the block. */
    private static void mean(Memory from, Memory to) {
        for (long i = 0; i < to.extent(0); i++) {
            for (long j = 0; j < to.extent(1); j++) {
                double around = from.getDouble(i, j + 1)
                        + from.getDouble(i + 1, j)
                        + from.getDouble(i + 1, j + 2)
                        + from.getDouble(i + 2, j + 1);
                to.setDouble(i, j, around / 4);
            }
        }
    }

    /** The program. The result is in {@code us} when the number of steps is even. */
    private static void relax(Session session, double[] us) {
        Data u = session.data().matrix("u", us, SIDE, SIDE);
        Data v = session.data().matrix("v", us.clone(), SIDE, SIDE); // the border is there too
        for (int step = 0; step < STEPS; step++) {
            Data from = step % 2 == 0 ? u : v;
            Data to = step % 2 == 0 ? v : u;
            for (int i = 1; i < SIDE - 1; i += BLOCK) {
                for (int j = 1; j < SIDE - 1; j += BLOCK) {
                    View read = from.block(i, j, BLOCK, BLOCK).halo(1);
                    View written = to.block(i, j, BLOCK, BLOCK);
                    session.graph().task("mean").reads(read).writes(written).run(MEAN);
                }
            }
        }
        session.data().fetch(u);
    }

    private static double[] plainly(double[] start) {
        double[] from = start;
        for (int step = 0; step < STEPS; step++) {
            double[] to = from.clone();
            for (int i = SIDE; i < SIDE * (SIDE - 1); i++) {
                if (i % SIDE != 0 && i % SIDE != SIDE - 1) {
                    to[i] = (from[i - SIDE] + from[i - 1] + from[i + 1] + from[i + SIDE]) / 4;
                }
            }
            from = to;
        }
        return from;
    }

    @TestFactory
    Stream<DynamicTest> runs() {
        return Everywhere.run(session -> {
            double[] u = new double[SIDE * SIDE];
            for (int i = 0; i < u.length; i++) {
                u[i] = i * 31 % 101; // with so few steps no sum is rounded
            }
            double[] expected = plainly(u);
            relax(session, u);
            assertArrayEquals(expected, u);
        });
    }
}
