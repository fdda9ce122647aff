package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.jacquard.base.foreign.Binding;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** A place that is over when a test says so, or fails when it says so: a user event of OpenCL. */
final class Gate implements AutoCloseable {
    private static final UserEvents FUNCTIONS =
            Binding.of(MethodHandles.lookup(), UserEvents.class).to(ClLibrary.library());

    private interface UserEvents {
        long clCreateUserEvent(long context, MemorySegment status);

        int clSetUserEventStatus(long event, int status);
    }

    private final Arena arena = Arena.ofShared();
    private final long event;
    private final OpenClEvent place;

    Gate(OpenClDevice device) {
        MemorySegment status = arena.allocate(JAVA_INT);
        event = FUNCTIONS.clCreateUserEvent(device.context(), status);
        ClStatus.check(status.get(JAVA_INT, 0), device.name(), "make a user event");
        place = new OpenClEvent(device, event, new History("the gate", arena), null);
    }

    /** For streams to wait for. */
    OpenClEvent place() {
        return place;
    }

    /** Lets those go on who wait for it, or fail with a negative status. */
    void open(int status) {
        ClStatus.check(FUNCTIONS.clSetUserEventStatus(event, status), "the gate", "open");
    }

    @Override
    public void close() {
        place.close();
        arena.close();
    }
}
