package dev.jacquard.memory.device.emulated;

import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.testing.DeviceContract;
import dev.jacquard.memory.testing.SampleKernel;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The emulated device keeps what every device keeps. */
class EmulatedDeviceTest extends DeviceContract {
    @Override
    protected Device open() {
        return EmulatedDevice.offer("emulated0").memory(256L << 20).open();
    }

    @Override
    protected @Nullable Language language() {
        return null;
    }

    @Override
    protected DeviceKernel kernel(Device device, SampleKernel sample) {
        return ((EmulatedDevice) device)
                .kernel(sample.function(), sample.code(), sample.parameters().toArray(Class<?>[]::new));
    }

    @Override
    protected OptionalLong usedBytes(Device device) {
        return OptionalLong.of(((EmulatedDevice) device).usedBytes());
    }

    @Override
    protected boolean fail(DeviceStream stream) {
        ((EmulatedStream) stream)
                .run(
                        "wrong",
                        launch -> {
                            throw new ArithmeticException("wrong on purpose");
                        },
                        List.of());
        return true;
    }
}
