package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A place that is over when a test says so, or fails when it says so: a user event of OpenCL. */
final class Gate implements AutoCloseable {
    private static final Create CREATE = ClLibrary.bind(Create.class, "clCreateUserEvent");
    private static final SetStatus SET = ClLibrary.bind(SetStatus.class, "clSetUserEventStatus");

    public interface Create {
        long call(long context, MemorySegment status);
    }

    public interface SetStatus {
        int call(long event, int status);
    }

    private final Arena arena = Arena.ofShared();
    private final long event;
    private final OpenClEvent place;

    Gate(OpenClDevice device) {
        MemorySegment status = arena.allocate(JAVA_INT);
        event = CREATE.call(device.context(), status);
        ClStatus.check(status.get(JAVA_INT, 0), device.name(), "make a user event");
        place = new OpenClEvent(device, event, new History("the gate", arena), null);
    }

    /** For streams to wait for. */
    OpenClEvent place() {
        return place;
    }

    /** Lets those go on who wait for it, or fail with a negative status. */
    void open(int status) {
        ClStatus.check(SET.call(event, status), "the gate", "open");
    }

    @Override
    public void close() {
        place.close();
        arena.close();
    }
}
