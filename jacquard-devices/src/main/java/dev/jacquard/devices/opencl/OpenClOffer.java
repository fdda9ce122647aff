package dev.jacquard.devices.opencl;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;

/** A device that a driver lists. Threads: any. */
record OpenClOffer(String name, OpenClPlatform platform, long id, Device.Properties properties) implements DeviceOffer {
    @Override
    public ExecutionTarget target() {
        return ExecutionTarget.OPENCL;
    }

    @Override
    public Device open() {
        return new OpenClDevice(this);
    }

    @Override
    public String toString() {
        return name + " (" + properties.model() + ")";
    }
}
