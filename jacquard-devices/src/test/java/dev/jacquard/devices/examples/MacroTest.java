package dev.jacquard.devices.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.macro.MacroTask;
import dev.jacquard.core.macro.PipelineDriver;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.SourceKernel;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One macro task by each driver of pipelines, and on the host and a device at once: on every kind of device. */
class MacroTest {
    private static final int ITEMS = 50;
    private static final int LENGTH = 1_000;

    private static final Kernel AXPY = Kernel.named("axpy")
            .parameters("a", "x", "y")
            .onDevice(
                    ExecutionTarget.CUDA,
                    SourceKernel.perElement(source(Language.CUDA, "axpy.cu")).batchable())
            .onDevice(
                    ExecutionTarget.OPENCL,
                    SourceKernel.perElement(source(Language.OPENCL_C, "axpy.cl"))
                            .batchable())
            .onHost(arguments -> {
                Memory x = arguments.memory("x");
                Memory y = arguments.memory("y");
                for (long i = 0; i < x.extent(0); i++) {
                    y.setDouble(i, y.getDouble(i) + arguments.number("a") * x.getDouble(i));
                }
            });

    private static KernelSource source(Language language, String name) {
        return KernelSource.resource(language, AxpyTest.class, name, "axpy");
    }

    private static void onDevice(DeviceOffer offer) {
        double[] xs = new double[ITEMS * LENGTH];
        double[] ys = new double[xs.length];
        for (int i = 0; i < xs.length; i++) {
            xs[i] = i;
        }
        List<PipelineDriver> drivers =
                List.of(PipelineDriver.streams(1), PipelineDriver.streams(4), PipelineDriver.batched(16));
        try (Session session = Session.builder().workers(2).device(offer).open()) {
            Data x = session.data().vector("x", xs);
            Data y = session.data().vector("y", ys);
            MacroTask<Integer> axpy = MacroTask.of(ITEMS)
                    .reads(i -> x.rows((long) i * LENGTH, (i + 1L) * LENGTH))
                    .updates(i -> y.rows((long) i * LENGTH, (i + 1L) * LENGTH))
                    .kernel(AXPY, 0.5);
            for (PipelineDriver driver : drivers) {
                for (MacroTask.Where where : List.of(MacroTask.Where.DEVICES, MacroTask.Where.BOTH)) {
                    MacroTask.Report report = axpy.pipeline(driver)
                            .where(where)
                            .submit(
                                    session,
                                    session.graph().task("axpy").reads(x).updates(y))
                            .join();
                    assertEquals(ITEMS, report.done(), report::toString);
                }
            }
            session.data().fetch(y);
        }
        for (int i = 0; i < ys.length; i++) {
            assertEquals(2 * drivers.size() * 0.5 * i, ys[i], offer.name());
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
        found.offers().forEach(MacroTest::onDevice);
    }
}
