package dev.jacquard.memory.testing;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A device that does what another one does, but for what is overridden. */
public class ForwardingDevice implements Device {
    /** The device that does it. */
    protected final Device device;

    /** Passes all calls on to {@code device}. */
    protected ForwardingDevice(Device device) {
        this.device = device;
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public ExecutionTarget target() {
        return device.target();
    }

    @Override
    public Device.Properties properties() {
        return device.properties();
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        return device.allocate(bytes);
    }

    @Override
    public long batchBytes() {
        return device.batchBytes();
    }

    @Override
    public PinnedMemory allocatePinned(long bytes) {
        return device.allocatePinned(bytes);
    }

    @Override
    public @Nullable PinnedMemory pin(MemorySegment memory) {
        return device.pin(memory);
    }

    @Override
    public DeviceStream stream(String name) {
        return device.stream(name);
    }

    @Override
    public DeviceKernel compile(KernelSource source) {
        return device.compile(source);
    }

    @Override
    public boolean reaches(Device other) {
        return device.reaches(other);
    }

    @Override
    public void close() {
        device.close();
    }
}
