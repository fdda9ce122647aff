package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.LaunchShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A queue that runs in order. Its commands form a chain: each waits for the event of the one before. Owns the arena of
 * its scratch memory.
 *
 * <p>A command that this class or the driver refuses at the call throws there, and the stream goes on without it. Later
 * failures are found by the {@link History}; once one is known, no more commands are given to the driver.
 */
final class OpenClStream implements DeviceStream, Owned {
    private final OpenClDevice device;
    private final String label;
    private final long queue;
    private final Arena arena = Arena.ofShared();
    private final History history;

    // Scratch memory for one call at a time.
    private final MemorySegment event = arena.allocate(JAVA_LONG);
    /** The event of the last command, which the history owns, and room for one of another stream. */
    private final MemorySegment waits = arena.allocate(JAVA_LONG, 2);

    private final MemorySegment sizes = arena.allocate(JAVA_LONG, 6);
    private final Copies copies;

    private final MemorySegment answer = arena.allocate(JAVA_INT);

    /** True if the driver may hold a command that it never ends; see {@link #done}. By the stream's thread. */
    private boolean stuck;

    private final AtomicBoolean closed = new AtomicBoolean();

    OpenClStream(OpenClDevice device, String name) {
        this.device = device;
        this.label = device.name() + " (stream \"" + name + "\")";
        this.history = new History(label, arena);
        this.queue = device.createQueue();
        this.copies = new Copies(queue, arena, waits, event);
        try {
            // The chain's first link, so that there always is a last event.
            ClStatus.check(CL.clEnqueueMarkerWithWaitList(queue, 0, MemorySegment.NULL, event), label, "begin");
        } catch (RuntimeException | Error refused) {
            CL.clReleaseCommandQueue(queue); // the failure that is under way says more
            throw refused;
        }
        link("begin", "", 0, null);
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public void copyIn(MemorySegment from, DeviceBuffer to, CopyShape shape) {
        requireNative(from);
        requireOpen();
        shape.requireWithin(from.byteSize(), to.bytes());
        long memory = device.own(to).memory();
        for (CopyShape part : Runs.parts(shape, false)) {
            if (goesOn()) {
                done(copies.in(from, memory, part), "copy in", "", shape.bytes(), null);
            }
        }
    }

    @Override
    public void copyOut(DeviceBuffer from, MemorySegment to, CopyShape shape) {
        requireNative(to);
        if (to.isReadOnly()) {
            throw new IllegalArgumentException("the memory to copy to is read-only");
        }
        requireOpen();
        shape.requireWithin(from.bytes(), to.byteSize());
        long memory = device.own(from).memory();
        for (CopyShape part : Runs.parts(shape, false)) {
            if (goesOn()) {
                done(copies.out(memory, to, part), "copy out", "", shape.bytes(), null);
            }
        }
    }

    @Override
    public void copy(DeviceBuffer from, DeviceBuffer to, CopyShape shape) {
        if (from.device() != device && to.device() != device) {
            throw new IllegalArgumentException("a stream of " + device.name() + " does not copy from "
                    + from.device().name() + " to " + to.device().name() + ": one of them must be its own");
        }
        requireOpen();
        shape.requireWithin(from.bytes(), to.bytes());
        long source = device.reachable(from).memory();
        long target = device.reachable(to).memory();
        for (CopyShape part : Runs.parts(shape, source == target)) {
            if (goesOn()) {
                done(copies.between(source, target, part), "copy", "", shape.bytes(), null);
            }
        }
    }

    @Override
    public void launch(DeviceKernel kernel, LaunchShape shape, List<?> arguments) {
        requireOpen();
        if (!(kernel instanceof OpenClKernel ours) || ours.device() != device) {
            throw new IllegalArgumentException("kernel \"" + kernel.name() + "\" of "
                    + kernel.device().name() + " was given to a stream of " + device.name());
        }
        ours.check(shape, arguments);
        if (goesOn()) {
            done(ours.enqueue(queue, shape, arguments, sizes, waits, event), "launch kernel", ours.name(), 0, null);
        }
    }

    @Override
    public DeviceEvent record() {
        requireOpen();
        // A thread that waits elsewhere relies on the commands having reached the device.
        ClStatus.check(CL.clFlush(queue), label, "hand its commands over");
        long last = waits.get(JAVA_LONG, 0);
        ClStatus.check(CL.clRetainEvent(last), label, "keep an event");
        return new OpenClEvent(device, last, history, history.known());
    }

    @Override
    public void await(DeviceEvent event) {
        requireOpen();
        if (!(event instanceof OpenClEvent ours) || !device.reaches(ours.device())) {
            throw new IllegalArgumentException("a stream of " + device.name()
                    + " cannot wait for an event of another kind of device," + " or of one that it does not reach");
        }
        if (!goesOn()) {
            return;
        }
        if (ours.before() != null || failed(ours.event())) {
            history.refused("wait", ours.history());
            return;
        }
        waits.setAtIndex(JAVA_LONG, 1, ours.event());
        done(CL.clEnqueueBarrierWithWaitList(queue, 2, waits, this.event), "wait for another stream", "", 0, ours);
    }

    @Override
    public long handle() {
        return queue;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        device.forget(this);
        Closing closing = new Closing();
        if (!stuck) {
            closing.run(() -> ClStatus.check(CL.clFinish(queue), label, "finish"));
        }
        closing.run(history::close);
        if (!stuck) { // releasing would wait, and for ever: earlier commands are over, since they failed, and
            // the queue is left to the driver
            closing.run(() -> ClStatus.check(CL.clReleaseCommandQueue(queue), label, "release its queue"));
        }
        closing.run(arena::close); // events of this stream may still ask its history, which asks the driver no more
        closing.finish();
    }

    @Override
    public String toString() {
        return label;
    }

    /** Returns true if nothing has failed: only then is the driver given more commands. */
    private boolean goesOn() {
        if (history.known() == null && failed(waits.get(JAVA_LONG, 0))) {
            history.refused("go on", null);
        }
        return history.known() == null;
    }

    private boolean failed(long place) {
        return EventCells.status(place, answer) < 0;
    }

    /**
     * Takes note of a command that was given to the driver, with its event in {@code event} if the driver took it.
     *
     * <p>PoCL 3.1 never ends a command that was enqueued after an event that had failed by then. So events are looked
     * at before a command, and again after it: one that has failed in between may have been too early for the command,
     * and no thread waits for the command then.
     */
    private void done(int status, String verb, String subject, long bytes, @Nullable OpenClEvent other) {
        History source = other == null ? null : other.history();
        if (status == ClStatus.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) {
            history.refused(History.task(verb, subject, bytes), source);
            return;
        }
        if (status < 0) {
            ClStatus.check(status, label, History.task(verb, subject, bytes));
        }
        boolean late = failed(waits.get(JAVA_LONG, 0)) || (other != null && failed(other.event()));
        if (late) {
            stuck = true;
            history.refused(History.task(verb, subject, bytes), source);
            // Its event is not given back: the driver may be about to touch it.
        } else {
            link(verb, subject, bytes, source);
        }
    }

    private void link(String verb, String subject, long bytes, @Nullable History other) {
        long last = event.get(JAVA_LONG, 0);
        waits.setAtIndex(JAVA_LONG, 0, last);
        history.add(last, verb, subject, bytes, other);
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException(label + " is closed");
        }
    }

    private static void requireNative(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("memory on the heap may move during a copy: it must be native");
        }
    }
}
