package dev.jacquard.devices.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Events of the driver that are not in use, since making one takes about as long as a launch. Threads: any. */
final class EventPool {
    /** {@code CU_EVENT_DISABLE_TIMING}: recording takes no time stamp. */
    private static final int FLAGS = 2;

    private static final int MOST = 256;

    private final CudaContext context;
    private final Object lock = new Object();

    /** The free ones are the first {@link #count}; both guarded by {@link #lock}, as is {@link #closed}. */
    private final long[] free = new long[MOST];

    private int count;
    private boolean closed;

    EventPool(CudaContext context) {
        this.context = context;
    }

    /** An event; the context is the thread's. */
    long take() {
        synchronized (lock) {
            if (count > 0) {
                return free[--count];
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            context.check(context.driver().eventCreate(result.address(), FLAGS), "make an event");
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Takes an event back for which no thread waits; after the device is closed the event is gone with the context. */
    void give(long event) {
        synchronized (lock) {
            if (closed) {
                return;
            }
            if (count < MOST) {
                free[count++] = event;
                return;
            }
        }
        context.checkRelease(context.driver().ctxSetCurrent(context.handle()), "use its context");
        destroy(event);
    }

    void close() {
        synchronized (lock) {
            closed = true;
            while (count > 0) {
                destroy(free[--count]);
            }
        }
    }

    private void destroy(long event) {
        context.checkRelease(context.driver().eventDestroy(event), "end an event");
    }
}
