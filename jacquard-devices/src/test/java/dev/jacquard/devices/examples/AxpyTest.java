package dev.jacquard.devices.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.SourceKernel;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import org.junit.jupiter.api.Test;

/**
 * One task for several targets: the same program on the host, an emulated device, OpenCL and CUDA.
 *
 * <p>Source: the abstract-runtime-system document, listing 8.
 */
class AxpyTest {
    private static final int LENGTH = 100_000;
    private static final int STEPS = 10;

    private static final Kernel AXPY = Kernel.named("axpy")
            .parameters("a", "x", "y")
            .onDevice(ExecutionTarget.CUDA, SourceKernel.perElement(source(Language.CUDA, "axpy.cu")))
            .onDevice(ExecutionTarget.OPENCL, SourceKernel.perElement(source(Language.OPENCL_C, "axpy.cl")))
            .onHost(arguments -> {
                Memory x = arguments.memory("x");
                Memory y = arguments.memory("y");
                double a = arguments.number("a");
                for (long i = 0; i < x.extent(0); i++) {
                    y.setDouble(i, y.getDouble(i) + a * x.getDouble(i));
                }
            });

    private static KernelSource source(Language language, String name) {
        return KernelSource.resource(language, AxpyTest.class, name, "axpy");
    }

    /** The program. What it runs on is the session's. */
    private static void run(Session session) {
        double[] xs = new double[LENGTH];
        double[] ys = new double[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            xs[i] = i;
        }
        Data x = session.data().vector("x", xs);
        Data y = session.data().vector("y", ys);
        TaskGraph graph = session.graph();
        for (int step = 0; step < STEPS; step++) {
            graph.task("axpy").reads(x).updates(y).run(AXPY, 0.5);
        }
        session.data().fetch(y);
        for (int i = 0; i < LENGTH; i++) {
            assertEquals(STEPS * 0.5 * i, ys[i]);
        }
    }

    @Test
    void onTheHost() {
        try (Session session = Session.builder().workers(2).open()) {
            run(session);
            assertEquals(0, session.data().transfers().copies());
        }
    }

    @Test
    void onAnEmulatedDevice() {
        onDevice(EmulatedDevice.offer("emulated0"));
    }

    @Test
    void onEveryOtherDeviceOfThisMachine() {
        DeviceProvider.Discovery found = Devices.discover();
        assumeTrue(!found.offers().isEmpty(), () -> "no devices: " + found.absences());
        found.offers().forEach(AxpyTest::onDevice);
    }

    private static void onDevice(DeviceOffer offer) {
        try (Session session = Session.builder().workers(2).device(offer).open()) {
            run(session);
            Transfers moved = session.data().transfers();
            assertEquals(3, moved.copies(), moved::toString);
            assertEquals(3L * LENGTH * Double.BYTES, moved.bytes(), moved::toString);
        }
    }
}
