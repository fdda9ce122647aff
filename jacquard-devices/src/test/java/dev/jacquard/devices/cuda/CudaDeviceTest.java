package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceProvider.Discovery;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import dev.jacquard.memory.testing.DeviceContract;
import dev.jacquard.memory.testing.SampleKernel;
import java.util.List;

/** The suite of all devices on the first CUDA device, where there is one. */
class CudaDeviceTest extends DeviceContract {
    @Override
    protected Device open() {
        return firstDevice();
    }

    /** A device, or a test that is skipped, with the reason. */
    static Device firstDevice() {
        Discovery found = new CudaProvider().discover();
        assumeTrue(!found.offers().isEmpty(), () -> String.join("; ", found.absences()));
        return found.offers().get(0).open();
    }

    @Override
    protected Language language() {
        return Language.CUDA;
    }

    @Override
    protected boolean countsArguments() {
        return NativeLibrary.load("libcuda.so.1").has("cuFuncGetParamInfo");
    }

    @Override
    protected boolean fail(DeviceStream stream) {
        return refuse(stream);
    }

    /**
     * Has the driver refuse a launch, which harms nobody else: no block has more than 64 threads in the third
     * dimension.
     */
    static boolean refuse(DeviceStream stream) {
        var grid = stream.device().compile(SampleKernel.GRID.source(Language.CUDA));
        var cells = stream.device().allocate(4);
        stream.launch(grid, new LaunchShape(1, 1, 1024, 1, 1, 1024), List.of(cells, 1, 1, 1));
        cells.close();
        return true;
    }
}
