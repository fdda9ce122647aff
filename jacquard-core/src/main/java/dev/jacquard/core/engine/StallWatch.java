package dev.jacquard.core.engine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Notices when nothing moves any more although somebody waits: no worker runs anything, and none has as much as looked for work for a
 * while. Those who wait look themselves, since they sleep anyway: each time they wake, and when their time is over. So it costs nobody
 * else anything, and when nobody waits, nobody is told.
 *
 * <p>Threads: any that waits; guarded by its own monitor, under which nothing else is called. What is to be done is done by the thread that
 * noticed, outside of it: what that throws comes out of the wait.
 */
final class StallWatch {
    /** Never notices anything. */
    static final StallWatch NONE = new StallWatch(0, () -> 0, () -> {});

    private final long limitNanos;
    /** What moves beside the engine. */
    private final LongSupplier beside;

    private final Runnable stalled;
    /** What the engine had done when it was last seen to move. */
    private long progress = -1;

    private long since;
    /** Whether this stall was told of. */
    private boolean told;

    /**
     * A watch.
     *
     * @param limitNanos how long nothing moves before it is a stall; 0 for never
     * @param beside a number that is another whenever something has moved that the engine knows nothing of
     * @param stalled what is to be done then, once per stall
     */
    StallWatch(long limitNanos, LongSupplier beside, Runnable stalled) {
        this.limitNanos = limitNanos;
        this.beside = beside;
        this.stalled = stalled;
    }

    /** Parks the calling thread, which waits, until it is unparked or something is noticed. */
    void park(Engine engine) {
        if (limitNanos == 0) {
            LockSupport.park(engine);
            return;
        }
        if (isNews(engine)) {
            stalled.run();
            return; // whoever waits asks again, as what was done may have changed the answer
        }
        LockSupport.parkNanos(engine, limitNanos);
    }

    private boolean isNews(Engine engine) {
        long now = engine.clock().nanoTime();
        long done = engine.progress() + beside.getAsLong();
        boolean runs = engine.isRunning();
        synchronized (this) {
            if (runs || done != progress) {
                progress = done;
                since = now;
                told = false;
                return false;
            }
            if (told || now - since < limitNanos) {
                return false;
            }
            told = true;
            return true;
        }
    }
}
