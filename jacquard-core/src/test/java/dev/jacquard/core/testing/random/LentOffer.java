package dev.jacquard.core.testing.random;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.testing.ForwardingDevice;

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
    public ExecutionTarget target() {
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

    private static final class Lent extends ForwardingDevice {
        Lent(Device lender) {
            super(lender);
        }

        @Override
        public boolean reaches(Device other) {
            return device.reaches(other instanceof Lent lent ? lent.device : other);
        }

        @Override
        public void close() {}
    }
}
