package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** The devices of NVIDIA's driver, {@code cuda0} and so on, in its order, which {@code CUDA_VISIBLE_DEVICES} sets. */
public final class CudaProvider implements DeviceProvider {
    /** For {@link java.util.ServiceLoader}. */
    public CudaProvider() {}

    @Override
    public String kind() {
        return "cuda";
    }

    @Override
    public Discovery discover() {
        Found<Driver> driver = CudaLibraries.driver();
        return discover(driver, driver.thing() == null ? Found.absent("not looked for") : CudaLibraries.nvrtc());
    }

    static Discovery discover(Found<Driver> found, Found<Nvrtc> compiler) {
        Driver driver = found.thing();
        if (driver == null) {
            return Discovery.none("there is no CUDA driver: " + found.absence().orElseThrow());
        }
        int status = driver.init(0);
        if (status != CudaStatus.SUCCESS) {
            return Discovery.none("there is a CUDA driver, but "
                    + (status == CudaStatus.NO_DEVICE ? "no device that it may use: " : "it does not start: ")
                    + driver.words(status)
                    + "; see what nvidia-smi says, and CUDA_VISIBLE_DEVICES");
        }
        List<DeviceOffer> offers = new ArrayList<>();
        List<String> absences = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_INT);
            status = driver.deviceGetCount(result.address());
            int count = status == CudaStatus.SUCCESS ? result.get(ValueLayout.JAVA_INT, 0) : 0;
            if (count == 0) {
                absences.add("there is a CUDA driver, but it counts no device: " + driver.words(status));
            }
            for (int ordinal = 0; ordinal < count; ordinal++) {
                try {
                    offers.add(CudaOffer.of(driver, compiler, ordinal));
                } catch (DeviceException unfit) {
                    absences.add(String.valueOf(unfit.getMessage()));
                }
            }
        }
        if (!offers.isEmpty()) {
            compiler.absence()
                    .ifPresent(why -> absences.add("kernels cannot be compiled for CUDA, there is no NVRTC: " + why));
        }
        return new Discovery(offers, absences);
    }
}
