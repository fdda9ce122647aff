package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.testing.DeviceContract;

/**
 * The suite of all devices over a driver that has none: everything but the vendor's part runs on each machine with a C
 * compiler.
 */
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
