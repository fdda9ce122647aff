package dev.jacquard.expressions.codegen;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** A stream of a device that does not exist, which keeps the arguments of a launch. Confined to one thread. */
final class ToldStream implements DeviceStream {
    private final Map<String, String> properties;
    private List<?> arguments = List.of();

    /** A stream of a device of which these facts are known. */
    ToldStream(Map<String, String> properties) {
        this.properties = properties;
    }

    List<?> arguments() {
        return arguments;
    }

    /** Memory of the host in place of the device's. */
    record Buffer(Device device, MemorySegment segment) implements DeviceBuffer {
        @Override
        public long bytes() {
            return segment.byteSize();
        }

        @Override
        public void close() {}
    }

    private record Kernel(Device device, String name) implements DeviceKernel {}

    private final Device device = new Device() {
        @Override
        public String name() {
            return "told0";
        }

        @Override
        public ExecutionTarget target() {
            return ExecutionTarget.CUDA;
        }

        @Override
        public Properties properties() {
            return new Properties("a device on paper", 1L << 30, 1L << 30, 1, properties);
        }

        @Override
        public DeviceBuffer allocate(long bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PinnedMemory allocatePinned(long bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public DeviceStream stream(String name) {
            return ToldStream.this;
        }

        @Override
        public DeviceKernel compile(KernelSource source) {
            return new Kernel(this, source.function());
        }

        @Override
        public void close() {}
    };

    @Override
    public Device device() {
        return device;
    }

    @Override
    public void copyIn(MemorySegment from, DeviceBuffer to, CopyShape shape) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void copyOut(DeviceBuffer from, MemorySegment to, CopyShape shape) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void copy(DeviceBuffer from, DeviceBuffer to, CopyShape shape) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void launch(DeviceKernel kernel, LaunchShape shape, List<?> its) {
        arguments = List.copyOf(its);
    }

    @Override
    public DeviceEvent record() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void await(DeviceEvent event) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
