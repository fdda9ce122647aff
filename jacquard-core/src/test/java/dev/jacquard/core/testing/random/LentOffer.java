package dev.jacquard.core.testing.random;

import dev.jacquard.base.machine.Target;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A device that sessions use one after the other or at the same time, since opening it and compiling its kernels takes
 * long. It is open from the beginning; sessions that close it do not.
 */
public final class LentOffer implements DeviceOffer, AutoCloseable {
    private final DeviceOffer offer;
    private final Device device;

    /** Opens what {@code offer} offers. */
    public LentOffer(DeviceOffer offer) {
        this.offer = offer;
        this.device = offer.open();
    }

    @Override
    public String name() {
        return offer.name();
    }

    @Override
    public Target target() {
        return offer.target();
    }

    @Override
    public Device.Properties properties() {
        return offer.properties();
    }

    @Override
    public Device open() {
        return new Lent(device);
    }

    /** Closes the device. No session may use it any more. */
    @Override
    public void close() {
        device.close();
    }

    private record Lent(Device lender) implements Device {
        @Override
        public String name() {
            return lender.name();
        }

        @Override
        public Target target() {
            return lender.target();
        }

        @Override
        public Device.Properties properties() {
            return lender.properties();
        }

        @Override
        public DeviceBuffer allocate(long bytes) {
            return lender.allocate(bytes);
        }

        @Override
        public PinnedMemory allocatePinned(long bytes) {
            return lender.allocatePinned(bytes);
        }

        @Override
        public @Nullable PinnedMemory pin(MemorySegment memory) {
            return lender.pin(memory);
        }

        @Override
        public DeviceStream stream(String name) {
            return lender.stream(name);
        }

        @Override
        public DeviceKernel compile(KernelSource source) {
            return lender.compile(source);
        }

        @Override
        public boolean reaches(Device other) {
            return lender.reaches(other instanceof Lent lent ? lent.lender : other);
        }

        @Override
        public void close() {}
    }
}
