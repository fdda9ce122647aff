package dev.jacquard.devices.cuda;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A place in a stream: an event of the driver, or, behind a command that was refused, the refusal. */
final class CudaEvent implements DeviceEvent {
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
        int status = context.driver().eventSynchronize.call(handle);
        if (status != CudaStatus.SUCCESS) {
            throw context.failure(status, "do what stream \"" + stream + "\" was told");
        }
    }

    @Override
    public boolean isOver() {
        if (failure != null) {
            return true;
        }
        CudaContext context = device.context();
        return context.driver().ctxSetCurrent.call(context.handle()) != CudaStatus.SUCCESS
                || context.driver().eventQuery.call(handle) != CudaStatus.NOT_READY;
    }

    @Override
    public void close() {
        if (CLOSED.compareAndSet(this, false, true) && handle != 0) {
            device.events().give(handle);
        }
    }
}
