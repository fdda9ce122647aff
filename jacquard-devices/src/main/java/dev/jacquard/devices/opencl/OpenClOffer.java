package dev.jacquard.devices.opencl;

import dev.jacquard.base.machine.Target;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProperties;

/** A device that a driver lists. Threads: any. */
final class OpenClOffer implements DeviceOffer {
    private final String name;
    private final OpenClPlatform platform;
    private final long id;
    private final DeviceProperties properties;

    OpenClOffer(String name, OpenClPlatform platform, long id) {
        this.name = name;
        this.platform = platform;
        this.id = id;
        this.properties = DeviceFacts.properties(id, name, platform.name());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Target target() {
        return Target.OPENCL;
    }

    @Override
    public DeviceProperties properties() {
        return properties;
    }

    @Override
    public Device open() {
        return new OpenClDevice(name, properties, platform, id);
    }

    @Override
    public String toString() {
        return name + " (" + properties.model() + ")";
    }
}
