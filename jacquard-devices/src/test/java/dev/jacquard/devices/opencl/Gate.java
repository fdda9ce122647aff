package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A place that is over when a test says so, or fails when it says so: a user event of OpenCL. */
final class Gate implements AutoCloseable {
    private static final MethodHandle CREATE = ClLibrary.bind("clCreateUserEvent", JAVA_LONG, JAVA_LONG, ADDRESS);
    private static final MethodHandle SET = ClLibrary.bind("clSetUserEventStatus", JAVA_INT, JAVA_LONG, JAVA_INT);

    private final Arena arena = Arena.ofShared();
    private final long event;
    private final OpenClEvent place;

    Gate(OpenClDevice device) {
        try {
            MemorySegment status = arena.allocate(JAVA_INT);
            event = (long) CREATE.invokeExact(device.context(), status);
            ClStatus.check(status.get(JAVA_INT, 0), device.name(), "make a user event");
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
        place = new OpenClEvent(device, event, new History("the gate", arena), null);
    }

    /** For streams to wait for. */
    OpenClEvent place() {
        return place;
    }

    /** Lets those go on who wait for it, or fail with a negative status. */
    void open(int status) {
        try {
            ClStatus.check((int) SET.invokeExact(event, status), "the gate", "open");
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    @Override
    public void close() {
        place.close();
        arena.close();
    }
}
