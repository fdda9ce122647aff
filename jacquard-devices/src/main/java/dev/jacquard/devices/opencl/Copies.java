package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static dev.jacquard.devices.opencl.ClFunctions.NOT_BLOCKING;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.memory.device.CopyShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Tells a queue to copy. Statuses are returned as they are. Confined to its stream. */
final class Copies {
    private final long queue;
    private final MemorySegment waits;
    private final MemorySegment event;
    private final MemorySegment fromOrigin;
    private final MemorySegment toOrigin;
    private final MemorySegment region;

    /**
     * @param arena borrowed; must outlive this
     * @param waits a list of events; each copy waits for the first
     * @param event where each copy's event goes
     */
    Copies(long queue, Arena arena, MemorySegment waits, MemorySegment event) {
        this.queue = queue;
        this.waits = waits;
        this.event = event;
        this.fromOrigin = arena.allocate(JAVA_LONG, 3);
        this.toOrigin = arena.allocate(JAVA_LONG, 3);
        this.region = arena.allocate(JAVA_LONG, 3);
    }

    /** From the host. */
    int in(MemorySegment from, long to, CopyShape s) {
        if (Runs.isOne(s)) {
            MemorySegment run = from.asSlice(s.fromOffset(), s.runBytes());
            return CL.clEnqueueWriteBuffer(queue, to, NOT_BLOCKING, s.toOffset(), s.runBytes(), run, 1, waits, event);
        }
        place(s);
        return CL.clEnqueueWriteBufferRect(
                queue,
                to,
                NOT_BLOCKING,
                toOrigin,
                fromOrigin,
                region,
                s.toPitch(),
                s.toSlice(),
                s.fromPitch(),
                s.fromSlice(),
                from,
                1,
                waits,
                event);
    }

    /** To the host. */
    int out(long from, MemorySegment to, CopyShape s) {
        if (Runs.isOne(s)) {
            MemorySegment run = to.asSlice(s.toOffset(), s.runBytes());
            return CL.clEnqueueReadBuffer(
                    queue, from, NOT_BLOCKING, s.fromOffset(), s.runBytes(), run, 1, waits, event);
        }
        place(s);
        return CL.clEnqueueReadBufferRect(
                queue,
                from,
                NOT_BLOCKING,
                fromOrigin,
                toOrigin,
                region,
                s.fromPitch(),
                s.fromSlice(),
                s.toPitch(),
                s.toSlice(),
                to,
                1,
                waits,
                event);
    }

    /** Between two buffers of one context. */
    int between(long from, long to, CopyShape s) {
        if (Runs.isOne(s)) {
            return CL.clEnqueueCopyBuffer(queue, from, to, s.fromOffset(), s.toOffset(), s.runBytes(), 1, waits, event);
        }
        place(s);
        return CL.clEnqueueCopyBufferRect(
                queue,
                from,
                to,
                fromOrigin,
                toOrigin,
                region,
                s.fromPitch(),
                s.fromSlice(),
                s.toPitch(),
                s.toSlice(),
                1,
                waits,
                event);
    }

    /** Origins are bytes, rows and planes: all of an offset goes into the bytes. */
    private void place(CopyShape s) {
        fromOrigin.setAtIndex(JAVA_LONG, 0, s.fromOffset());
        toOrigin.setAtIndex(JAVA_LONG, 0, s.toOffset());
        region.setAtIndex(JAVA_LONG, 0, s.runBytes());
        region.setAtIndex(JAVA_LONG, 1, s.rows());
        region.setAtIndex(JAVA_LONG, 2, s.planes());
    }
}
