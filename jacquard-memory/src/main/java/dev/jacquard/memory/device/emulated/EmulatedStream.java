package dev.jacquard.memory.device.emulated;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.text.UserText;
import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelFailedException;
import dev.jacquard.memory.device.LaunchShape;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import dev.jacquard.memory.device.emulated.OrderedWork.Body;
import dev.jacquard.memory.device.emulated.OrderedWork.Order;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A stream of an emulated device: a thread that starts with the first operation.
 *
 * <p>A copy is made, and is over when the link would have carried it; a launch runs, and is over when it has taken as
 * many times as long as the device is slower than the host. At most 1,024 operations wait; a thread that adds more
 * waits, too.
 *
 * <p>Threads: one at a time. Host memory must be accessible to all threads (of a shared, automatic or global arena).
 */
public final class EmulatedStream implements DeviceStream {
    /** Sleeping takes up to so much longer than asked for; this long before the end it turns instead. */
    private static final long TURNING_NANOS = 80_000;

    private final EmulatedDevice device;
    private final OrderedWork work;
    /**
     * The earliest time at which the next operation of the stream could begin: when the copy before should have been
     * over, not when this host's thread found out that it was, or when anything else before was over. By the thread of
     * the stream.
     */
    private long readyNanos = Long.MIN_VALUE;

    EmulatedStream(EmulatedDevice device, String name) {
        this.device = device;
        this.work = new OrderedWork(device.name(), name);
    }

    @Override
    public EmulatedDevice device() {
        return device;
    }

    @Override
    public void copyIn(MemorySegment from, DeviceBuffer to, CopyShape shape) {
        EmulatedBuffer target = mine(to, "copies to");
        requireNative(from);
        shape.requireWithin(from.byteSize(), to.bytes());
        copy(
                "a copy of " + shape.bytes() + " bytes in",
                from,
                target.segment(),
                shape,
                new Way(device, device.in(), null));
    }

    @Override
    public void copyOut(DeviceBuffer from, MemorySegment to, CopyShape shape) {
        EmulatedBuffer source = mine(from, "copies from");
        requireNative(to);
        if (to.isReadOnly()) {
            throw new IllegalArgumentException(
                    "a copy out of " + device.name() + " cannot write to a read-only segment");
        }
        shape.requireWithin(from.bytes(), to.byteSize());
        copy(
                "a copy of " + shape.bytes() + " bytes out",
                source.segment(),
                to,
                shape,
                new Way(device, device.out(), null));
    }

    @Override
    public void copy(DeviceBuffer from, DeviceBuffer to, CopyShape shape) {
        if (from.device() != device && to.device() != device) {
            throw new IllegalArgumentException("neither " + from + " nor " + to + " is of " + device.name());
        }
        EmulatedBuffer source = reached(from);
        EmulatedBuffer target = reached(to);
        shape.requireWithin(from.bytes(), to.bytes());
        EmulatedDevice peer = source.device() == device ? target.device() : source.device();
        Way way = peer == device
                ? new Way(device, null, null)
                : new Way(peer, source.device().out(), target.device().in());
        String what = "a copy of " + shape.bytes() + " bytes from " + source.device() + " to " + target.device();
        copy(what, source.segment(), target.segment(), shape, way);
    }

    /**
     * The links that a copy goes through.
     *
     * @param peer the other device, or this one
     */
    private record Way(
            EmulatedDevice peer,
            @Nullable LinkDirection first,
            @Nullable LinkDirection second) {
        /** Returns when the last of {@code bytes} is there. */
        long arrival(long bytes, long now) {
            long one = first == null ? now : first.arrival(bytes, now);
            long two = second == null ? now : second.arrival(bytes, now);
            return one - two > 0 ? one : two;
        }
    }

    private EmulatedBuffer mine(DeviceBuffer buffer, String what) {
        if (buffer instanceof EmulatedBuffer own && own.device() == device) {
            return own;
        }
        throw new IllegalArgumentException("a stream of " + device.name() + " " + what + " its own buffers, not "
                + buffer.bytes() + " bytes of " + buffer.device().name());
    }

    private EmulatedBuffer reached(DeviceBuffer buffer) {
        if (buffer instanceof EmulatedBuffer other && device.reaches(other.device())) {
            return other;
        }
        throw new IllegalArgumentException(
                device.name() + " does not reach " + buffer.device().name() + ": copy through the host");
    }

    private void requireNative(MemorySegment host) {
        if (!host.isNative()) {
            throw new IllegalArgumentException("copies of " + device.name()
                    + " need native memory, not a segment on the heap: take Arena or allocatePinned");
        }
        if (!host.isAccessibleBy(work.thread())) {
            throw new IllegalArgumentException("copies of " + device.name()
                    + " are made by another thread, and this segment's arena is confined: take Arena.ofShared"
                    + " or allocatePinned");
        }
    }

    private void copy(String what, MemorySegment from, MemorySegment to, CopyShape shape, Way way) {
        long copy = device.nextCopy();
        long told = clock().nanoTime();
        tell(what, device.nextOperation(), () -> {
            if (faults().strike(Kind.COPY, copy)) {
                throw new DeviceException("it is set so that copy " + copy + " fails");
            }
            if (way.peer != device && way.peer.isLost()) { // this device goes on
                throw new DeviceException("the other device is gone", way.peer.lostException());
            }
            boolean behind = readyNanos != Long.MIN_VALUE && readyNanos - told > 0;
            long end = way.arrival(shape.bytes(), behind ? readyNanos : told);
            Runs.copy(from, to, shape);
            if (faults().strike(Kind.CORRUPTION, copy)) {
                Runs.damage(to, shape, faults().place(Kind.CORRUPTION, copy, Runs.damages(shape)));
            }
            until(end);
            readyNanos = end;
        });
    }

    @Override
    public void launch(DeviceKernel kernel, LaunchShape shape, List<?> arguments) {
        if (!(kernel instanceof EmulatedKernel own) || own.device() != device) {
            throw new IllegalArgumentException("kernel \"" + kernel.name() + "\" is of "
                    + kernel.device().name() + ", and cannot run on " + device.name());
        }
        own.requireFitting(arguments);
        run(own.name(), shape, own.code(), arguments);
    }

    /**
     * Runs code without further ado, as one item.
     *
     * @param name for messages
     * @param arguments as for {@link #launch}
     * @throws IllegalArgumentException when one of them is of another type, or of another device
     */
    public void run(String name, EmulatedBody.Code code, List<?> arguments) {
        run(name, LaunchShape.of(1), code, arguments);
    }

    private void run(String name, LaunchShape shape, EmulatedBody.Code code, List<?> arguments) {
        List<Object> given = new ArrayList<>(arguments.size());
        for (Object argument : arguments) {
            given.add(given(name, argument));
        }
        EmulatedBody.Launch call = new EmulatedBody.Launch(shape, given);
        long launch = device.nextLaunch();
        tell("kernel \"" + name + '"', device.nextOperation(), () -> {
            if (faults().strike(Kind.LAUNCH, launch)) {
                throw new DeviceException("it is set so that launch " + launch + " fails");
            }
            long begin = clock().nanoTime();
            run(code, call);
            long taken = clock().nanoTime() - begin;
            until(begin + (long) (taken * device.offer().computeFactor()));
            readyNanos = clock().nanoTime();
        });
    }

    /**
     * Runs code of the user's. Its exceptions are no failures of the device, unless they are exceptions of a device.
     */
    private static void run(EmulatedBody.Code code, EmulatedBody.Launch call) {
        try {
            code.run(call);
        } catch (DeviceException e) {
            throw e;
        } catch (Throwable e) {
            throw new KernelFailedException("its code threw " + UserText.of(e), e);
        }
    }

    private Object given(String name, Object argument) {
        return switch (argument) {
            case DeviceBuffer buffer -> mine(buffer, "gives \"" + name + "\"").segment();
            case Integer number -> number;
            case Long number -> number;
            case Float number -> number;
            case Double number -> number;
            default ->
                throw new IllegalArgumentException("kernel \"" + name + "\" cannot be given a "
                        + argument.getClass().getName() + ", only DeviceBuffer, Integer, Long, Float and Double");
        };
    }

    /** An operation, which may turn out to be the one that loses the device. */
    private void tell(String what, long operation, Body body) {
        device.requireUsable();
        work.add(new Order(
                what,
                () -> {
                    if (faults().strike(Kind.LOSS, operation)) {
                        device.lose("it is set to be at operation " + operation);
                    }
                    requireThere();
                    body.run();
                    requireThere();
                },
                null));
    }

    private void requireThere() {
        if (device.isLost()) {
            throw device.lostException();
        }
    }

    @Override
    public DeviceEvent record() {
        device.requireUsable();
        EmulatedEvent mark = new EmulatedEvent(device);
        work.add(new Order("an event", () -> {}, mark));
        return mark;
    }

    @Override
    public void await(DeviceEvent event) {
        if (!(event instanceof EmulatedEvent other) || other.device() != device) {
            throw new IllegalArgumentException(
                    "a stream of " + device.name() + " waits for events of that device only");
        }
        device.requireUsable();
        work.add(new Order(
                "an event of another stream",
                () -> {
                    DeviceException why = other.ending();
                    if (why != null) {
                        throw why;
                    }
                    readyNanos = clock().nanoTime();
                },
                null));
    }

    private FaultPlan faults() {
        return device.offer().faults();
    }

    private Clock clock() {
        return device.clock();
    }

    /** Waits for that time, or the loss of the device: asleep as long as that cannot take too long, then turning. */
    private void until(long endNanos) {
        for (long left = endNanos - clock().nanoTime();
                left > 0 && !device.isLost();
                left = endNanos - clock().nanoTime()) {
            if (left > TURNING_NANOS) {
                LockSupport.parkNanos(this, left - TURNING_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** Ends waiting operations, and wakes threads that wait for time to pass: the device is gone. */
    void lose(DeviceLostException why) {
        work.lose(why);
        LockSupport.unpark(work.thread());
    }

    @Override
    public void close() {
        work.close();
        device.forget(this);
    }
}
