package dev.jacquard.devices.opencl;

import dev.jacquard.memory.device.DeviceProvider;
import java.util.Optional;

/**
 * All devices of all OpenCL drivers that are installed, {@code opencl0} and so on: graphics processors, then
 * accelerators, then processors.
 */
public final class OpenClProvider implements DeviceProvider {
    /** For {@link java.util.ServiceLoader}. */
    public OpenClProvider() {}

    @Override
    public String kind() {
        return "opencl";
    }

    @Override
    public Discovery discover() {
        Optional<String> absence = ClLibrary.absence();
        return absence.isPresent() ? Discovery.none("OpenCL: " + absence.get()) : Platforms.discover();
    }
}
