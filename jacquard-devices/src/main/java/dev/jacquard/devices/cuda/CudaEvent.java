package dev.jacquard.devices.cuda;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A place in a stream: an event of the driver, or, after a command that was refused, the refusal.
 *
 * <p>A wait looks again and again, and naps in between when it takes long. One in which the driver sleeps ends some 35
 * microseconds late, which is four times the whole time of a small kernel; one in which the driver does not sleep slows
 * down the threads that enqueue more work concurrently.
 */
final class CudaEvent implements DeviceEvent {
    /** The time without naps. */
    private static final long LOOKED_FOR_NANOS = 50_000;
    /** A nap takes the wait so far, divided by this. */
    private static final long NAPS = 16;
    /** The system adds some 50 microseconds. */
    private static final long SHORTEST_NAP_NANOS = 20_000;

    private static final long LONGEST_NAP_NANOS = 1_000_000;

    private static final Clock CLOCK = Clock.system();
    private static final VarHandle CLOSED = Fields.handle(MethodHandles.lookup(), "closed", boolean.class);

    private final CudaDevice device;
    private final String stream;
    private final long handle;
    private final @Nullable DeviceException failure;

    @SuppressWarnings("UnusedVariable") // By CLOSED.
    private volatile boolean closed;

    /** Of a stream that works. */
    CudaEvent(CudaDevice device, String stream, long handle) {
        this.device = device;
        this.stream = stream;
        this.handle = handle;
        this.failure = null;
    }

    /** Of a stream that does not. */
    CudaEvent(CudaDevice device, String stream, DeviceException failure) {
        this.device = device;
        this.stream = stream;
        this.handle = 0;
        this.failure = failure;
    }

    CudaDevice device() {
        return device;
    }

    /** The {@code CUevent}; 0 when there is a {@link #failure}. */
    long handle() {
        return handle;
    }

    @Nullable
    DeviceException failure() {
        return failure;
    }

    @Override
    public void await() {
        if (failure != null) {
            throw CudaStream.again(failure);
        }
        CudaContext context = device.context();
        context.enter();
        long begin = CLOCK.nanoTime();
        int status = context.driver().eventQuery(handle);
        while (status == CudaStatus.NOT_READY) {
            pause(CLOCK.nanoTime() - begin);
            status = context.driver().eventQuery(handle);
        }
        if (status != CudaStatus.SUCCESS) {
            throw context.failure(status, "do what stream \"" + stream + "\" was to do");
        }
    }

    private static void pause(long waited) {
        if (waited < LOOKED_FOR_NANOS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(Math.clamp(waited / NAPS, SHORTEST_NAP_NANOS, LONGEST_NAP_NANOS));
        }
    }

    @Override
    public boolean isOver() {
        if (failure != null) {
            return true;
        }
        CudaContext context = device.context();
        return context.driver().ctxSetCurrent(context.handle()) != CudaStatus.SUCCESS
                || context.driver().eventQuery(handle) != CudaStatus.NOT_READY;
    }

    @Override
    public void close() {
        if (CLOSED.compareAndSet(this, false, true) && handle != 0) {
            device.events().give(handle);
        }
    }
}
