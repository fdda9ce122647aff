package dev.jacquard.memory.coherence;

import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;

/**
 * Memory of a device, within the limit of the session, that code has until it closes the loan, after its last operation
 * there. For code that works with streams itself.
 *
 * <p>Threads: one at a time.
 */
public final class DeviceLoan implements AutoCloseable {
    private final Coherence coherence;
    private final Replica memory;
    private final Device device;
    private boolean closed;

    private DeviceLoan(Coherence coherence, Replica memory, Device device) {
        this.coherence = coherence;
        this.memory = memory;
        this.device = device;
    }

    /**
     * Lends memory. Waits while other data makes room, so a worker must not call this.
     *
     * @param what data without a task and without a home; its layout says how many bytes are lent
     * @throws IllegalStateException if there is no room, and never will be
     * @throws dev.jacquard.memory.device.DeviceLostException if the device is lost
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public static DeviceLoan of(Coherence coherence, Place place, Data what) throws InterruptedException {
        Device device = device(coherence, place);
        Space space = coherence.forecast.space(place);
        Replica memory = coherence.scratch.allocate(space, new DataNeed(what, what.box(), false, true));
        return new DeviceLoan(coherence, memory, device);
    }

    /**
     * Returns the device of {@code place}.
     *
     * @throws IllegalArgumentException if that is no device
     */
    public static Device device(Coherence coherence, Place place) {
        Device device = coherence.forecast.space(place).device();
        if (device == null) {
            throw new IllegalArgumentException(place + " is no device of the session, so it has no streams");
        }
        return device;
    }

    /** Returns the device. */
    public Device device() {
        return device;
    }

    /** Returns the memory. */
    public DeviceBuffer buffer() {
        return (DeviceBuffer) memory.memory;
    }

    /** Gives the memory back. A second call does nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            coherence.scratch.discard(memory);
        }
    }
}
