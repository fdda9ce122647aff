package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Native memory for the places that are recorded, in cells that are used again, so that recording allocates none.
 *
 * <pre>
 *   byte 0      8       12      16
 *        | event | status | unused |     event: the cl_event that the cell owns one count of, 0 when the cell is free
 * </pre>
 *
 * <p>Threads: any. There are as many cells as were ever needed at the same time.
 */
final class EventCells {
    static final long EVENT = 0;
    static final long STATUS = 8;
    private static final long BYTES = 16;
    private static final int CHUNK = 64;

    private final Arena arena;

    /** Guards the fields below. */
    private final Object lock = new Object();

    private final Deque<MemorySegment> free = new ArrayDeque<>();
    private final List<MemorySegment> all = new ArrayList<>();

    /** @param arena borrowed; must outlive the cells */
    EventCells(Arena arena) {
        this.arena = arena;
    }

    /** A cell that owns one count of {@code event}, which the caller has retained. */
    MemorySegment take(long event) {
        synchronized (lock) {
            if (free.isEmpty()) {
                grow();
            }
            MemorySegment cell = free.removeLast();
            cell.set(JAVA_LONG, EVENT, event);
            return cell;
        }
    }

    /** Gives a cell and its count back. */
    void release(MemorySegment cell) {
        long event;
        synchronized (lock) {
            event = cell.get(JAVA_LONG, EVENT);
            cell.set(JAVA_LONG, EVENT, 0);
            free.addLast(cell);
        }
        ClStatus.check(CL.clReleaseEvent(event), "OpenCL", "release an event");
    }

    /** Gives back the counts of all events that were never closed. */
    void close() {
        for (MemorySegment cell : all) {
            if (cell.get(JAVA_LONG, EVENT) != 0) {
                release(cell);
            }
        }
    }

    /**
     * The status of an event: 0 when it is over, less when it failed. {@code scratch} is 4 bytes that the driver
     * writes.
     */
    static int status(long event, MemorySegment scratch) {
        int asked = CL.clGetEventInfo(event, 0x11D3, Integer.BYTES, scratch, MemorySegment.NULL);
        ClStatus.check(asked, "OpenCL", "report the status of an event");
        return scratch.get(JAVA_INT, 0);
    }

    private void grow() {
        MemorySegment chunk = arena.allocate(BYTES * CHUNK, Long.BYTES);
        for (int i = 0; i < CHUNK; i++) {
            MemorySegment cell = chunk.asSlice(i * BYTES, BYTES);
            all.add(cell);
            free.addLast(cell);
        }
    }
}
