package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.memory.device.DeviceEvent;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A place in a stream: the event of the last command before it. */
final class OpenClEvent implements DeviceEvent {
    private final OpenClDevice device;
    private final History history;
    private final History.@Nullable Failure before;

    /** Null once this is closed. */
    private final AtomicReference<@Nullable MemorySegment> cell;

    /**
     * @param event which the caller has retained
     * @param history of the stream
     * @param before the failure that was known already when this was recorded
     */
    OpenClEvent(OpenClDevice device, long event, History history, History.@Nullable Failure before) {
        this.device = device;
        this.history = history;
        this.before = before;
        this.cell = new AtomicReference<>(device.cells().take(event));
    }

    @Override
    public void await() {
        MemorySegment mine = open();
        int waited = CL.clWaitForEvents(1, mine);
        if (waited != ClStatus.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) {
            ClStatus.check(waited, device.name(), "wait for an event");
        }
        int status = status(mine);
        if (status < 0) {
            throw history.exception(status);
        }
        if (before != null) {
            throw history.exception(before);
        }
    }

    @Override
    public boolean isOver() {
        return status(open()) <= 0;
    }

    @Override
    public void close() {
        MemorySegment mine = cell.getAndSet(null);
        if (mine != null) {
            device.cells().release(mine);
        }
    }

    /** The {@code cl_event}. */
    long event() {
        return open().get(JAVA_LONG, EventCells.EVENT);
    }

    OpenClDevice device() {
        return device;
    }

    /** The history of the stream that the event is a place in. */
    History history() {
        return history;
    }

    /** Returns the failure that was there when this event was recorded, or null. */
    History.@Nullable Failure before() {
        return before;
    }

    /**
     * Asks the driver. Threads that ask at the same time share the place of the answer, which is true of any moment
     * since they asked.
     */
    private static int status(MemorySegment mine) {
        return EventCells.status(mine.get(JAVA_LONG, EventCells.EVENT), mine.asSlice(EventCells.STATUS, Integer.BYTES));
    }

    private MemorySegment open() {
        MemorySegment mine = cell.get();
        if (mine == null) {
            throw new IllegalStateException("the event is closed");
        }
        return mine;
    }
}
