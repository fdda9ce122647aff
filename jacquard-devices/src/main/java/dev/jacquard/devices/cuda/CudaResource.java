package dev.jacquard.devices.cuda;

import java.util.concurrent.atomic.AtomicBoolean;

/** A resource that a device gave, and takes back once. Threads: closing from any. */
abstract class CudaResource implements AutoCloseable {
    private final CudaDevice device;
    private final AtomicBoolean closed = new AtomicBoolean();

    CudaResource(CudaDevice device) {
        this.device = device;
    }

    public CudaDevice device() {
        return device;
    }

    CudaContext context() {
        return device.context();
    }

    /** Gives it back; the device's context is the thread's. */
    abstract void release();

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            device.forget(this);
            Driver driver = context().driver();
            context().checkRelease(driver.ctxSetCurrent(context().handle()), "use its context");
            release();
        }
    }
}
