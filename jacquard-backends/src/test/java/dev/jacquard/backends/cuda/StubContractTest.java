package dev.jacquard.backends.cuda;

import dev.jacquard.core.device.Device;
import dev.jacquard.core.device.DeviceStream;
import dev.jacquard.core.device.KernelSource.Language;
import dev.jacquard.core.testing.DeviceContract;

/** The suite of all devices over a driver that has none: everything but the vendor's part runs on each machine with a C compiler. */
class StubContractTest extends DeviceContract {
    @Override
    protected Device open() {
        return StubDriver.discover().offers().get(0).open();
    }

    @Override
    protected Language language() {
        return Language.CUDA;
    }

    @Override
    protected boolean fail(DeviceStream stream) {
        return CudaDeviceTest.refuse(stream);
    }
}
