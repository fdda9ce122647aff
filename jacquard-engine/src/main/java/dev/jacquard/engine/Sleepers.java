package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The host's workers that sleep: how many, and how to wake them. The package documentation has the protocol. */
final class Sleepers {
    private static final VarHandle COUNT = Fields.handle(MethodHandles.lookup(), "count", int.class);

    private final WorkerState[] hosts;

    /**
     * The number of workers that have announced sleep. Changed by getAndAdd, which is also the fence of the protocol.
     */
    @SuppressWarnings("unused") // through COUNT
    private int count;

    Sleepers(WorkerState[] hosts) {
        this.hosts = hosts;
    }

    /** One more, or one less: a full fence. */
    void add(int more) {
        COUNT.getAndAdd(this, more);
    }

    /**
     * Wakes one. The caller's queued node stands before the look: by a fence, by the inbox's volatile write, or because
     * the caller was woken for it.
     */
    void wakeOne() {
        wake(1);
    }

    /** Wakes that number of workers at most. */
    void wake(int most) {
        if ((int) COUNT.getVolatile(this) != 0) { // pairs with the getAndAdd in add()
            int left = most;
            for (int i = 0; i < hosts.length && left > 0; i++) {
                left -= hosts[i].wake() ? 1 : 0;
            }
        }
    }

    /** Returns the number of workers that are counted right now; for tests. */
    int count() {
        return (int) COUNT.getAcquire(this);
    }
}
