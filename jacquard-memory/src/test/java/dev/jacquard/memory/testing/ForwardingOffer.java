package dev.jacquard.memory.testing;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import java.util.function.UnaryOperator;

/**
 * The offer of a device in place of that of another offer.
 *
 * @param offer the other offer
 * @param wrap makes the device of the one that {@code offer} opens
 */
public record ForwardingOffer(DeviceOffer offer, UnaryOperator<Device> wrap) implements DeviceOffer {
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
        return wrap.apply(offer.open());
    }
}
