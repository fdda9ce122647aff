package dev.jacquard.core.session;

import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.coherence.DeviceLoan;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceStream;
import java.util.Objects;

/**
 * Streams and memory of a device of a session, for code that works with the device itself, concurrently with the tasks
 * that the session runs there.
 *
 * <p>Threads: any, but for {@link #lend}, which workers must not call.
 */
public final class DeviceAccess {
    private final Session session;
    private final Place place;
    private final Device device;

    /**
     * Makes the access to a device.
     *
     * @throws IllegalArgumentException if {@code place} is no device of the session
     */
    public DeviceAccess(Session session, Place place) {
        this.session = Objects.requireNonNull(session, "session");
        this.place = Objects.requireNonNull(place, "place");
        this.device = DeviceLoan.device(session.data().coherence, place);
    }

    /** Returns the device as tasks are sent there. */
    public Place place() {
        return place;
    }

    /**
     * Returns one more stream, which the caller closes before the session is closed.
     *
     * @throws dev.jacquard.memory.device.DeviceLostException if the device is lost
     */
    public DeviceStream stream(String name) {
        return device.stream(name);
    }

    /**
     * Lends {@code bytes} of the device's memory, within the limit of the session. Waits while other data makes room.
     * Throws like {@link DeviceLoan#of}.
     *
     * @param name of the memory, for messages
     */
    public DeviceLoan lend(String name, long bytes) throws InterruptedException {
        return DeviceLoan.of(
                session.data().coherence, place, new Data(name, session, Layout.of(DataType.INT8, bytes), null));
    }
}
