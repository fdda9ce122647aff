package dev.jacquard.devices.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

/** y += a x in single precision, in blocks, which several devices share. */
class SaxpyTest {
    private static final int LENGTH = 100_000;
    private static final int BLOCK = 12_500;

    private static final Kernel SAXPY = Kernel.named("saxpy")
            .parameters("a", "x", "y")
            .onDevice(ExecutionTarget.CUDA, SourceKernel.perElement(source(Language.CUDA, "saxpy.cu")))
            .onDevice(ExecutionTarget.OPENCL, SourceKernel.perElement(source(Language.OPENCL_C, "saxpy.cl")))
            .onHost(arguments -> {
                Memory x = arguments.memory("x");
                Memory y = arguments.memory("y");
                float a = (float) arguments.number("a");
                for (long i = 0; i < x.extent(0); i++) {
                    y.setFloat(i, y.getFloat(i) + a * x.getFloat(i));
                }
            });

    private static KernelSource source(Language language, String name) {
        return KernelSource.resource(language, SaxpyTest.class, name, "saxpy");
    }

    private static void saxpy(Session session, float a, float[] xs, float[] ys) {
        Data x = session.data().vector("x", xs);
        Data y = session.data().vector("y", ys);
        for (int from = 0; from < xs.length; from += BLOCK) {
            View part = y.rows(from, from + BLOCK);
            session.graph()
                    .task("saxpy")
                    .reads(x.rows(from, from + BLOCK))
                    .updates(part)
                    .run(SAXPY, a);
        }
        session.data().fetch(y);
    }

    @TestFactory
    Stream<DynamicTest> runs() {
        return Everywhere.run(session -> {
            float[] x = new float[LENGTH];
            float[] y = new float[LENGTH];
            for (int i = 0; i < LENGTH; i++) {
                x[i] = i;
                y[i] = 1;
            }
            saxpy(session, 0.5f, x, y);
            for (int i = 0; i < LENGTH; i++) {
                assertEquals(1 + 0.5f * i, y[i]);
            }
        });
    }
}
