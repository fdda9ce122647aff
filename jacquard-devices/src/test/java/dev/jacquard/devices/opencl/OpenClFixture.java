package dev.jacquard.devices.opencl;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.jacquard.memory.device.DeviceProvider.Discovery;
import dev.jacquard.memory.device.KernelSource;

/** The first device of this machine, and kernels to try it with. */
final class OpenClFixture {
    private OpenClFixture() {}

    /** An open device; skips the test, with the reason, where there is none. */
    static OpenClDevice open() {
        Discovery found = new OpenClProvider().discover();
        assumeFalse(found.offers().isEmpty(), () -> String.join("; ", found.absences()));
        return (OpenClDevice) found.offers().getFirst().open();
    }

    /** A kernel of {@code axpy.cl}. */
    static KernelSource kernel(String function) {
        return KernelSource.resource(KernelSource.Language.OPENCL_C, OpenClFixture.class, "axpy.cl", function);
    }
}
