package dev.jacquard.devices.opencl;

import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.testing.DeviceContract;
import java.util.OptionalLong;

/** What every device keeps, for the first OpenCL device of this machine. */
class OpenClDeviceTest extends DeviceContract {
    @Override
    protected Device open() {
        return OpenClFixture.open();
    }

    @Override
    protected Language language() {
        return Language.OPENCL_C;
    }

    @Override
    protected OptionalLong usedBytes(Device device) {
        return OptionalLong.of(((OpenClDevice) device).lentBytes());
    }

    @Override
    protected boolean fail(DeviceStream stream) {
        try (Gate gate = new Gate((OpenClDevice) stream.device())) {
            stream.await(gate.place());
            gate.open(ClStatus.OUT_OF_RESOURCES);
        }
        return true;
    }
}
