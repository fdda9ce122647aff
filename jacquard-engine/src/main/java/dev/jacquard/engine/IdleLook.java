package dev.jacquard.engine;

import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks again and again whether the workers are idle, ever more seldom, until they are at two looks in turn, and have
 * begun nothing in between.
 *
 * <p>Confined to the timers' thread, once it is set.
 */
final class IdleLook {
    private static final long FIRST_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** The time after which the workers count as idle though no thread waits: one that does not may submit more. */
    private static final long UNAWAITED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Dispatcher engine;
    private final WorkerPool pool;
    private final Runnable action;
    private long pause = FIRST_NANOS;
    /** The progress at the last look; -1 if the workers were not idle then. */
    private long progress = -1;
    /** Since when they have been idle. */
    private long since;

    IdleLook(Dispatcher engine, WorkerPool pool, Runnable action) {
        this.engine = engine;
        this.pool = pool;
        this.action = action;
    }

    /** Sets the next look. */
    void later() {
        if (pool.ending.isClosed()) { // no timer is due any more, and no node begins
            pool.timers.beside(action);
            return;
        }
        pool.timers.schedule(pause, this::look);
        pause = Math.min(2 * pause, MOST_NANOS);
    }

    private void look() {
        long now = pool.timers.nanoTime();
        long begun = pool.crew.progress();
        boolean broken = pool.ending.isBroken(); // queued nodes then begin no more
        boolean queued = !broken && isAnyQueued();
        boolean heldUp = queued && pool.crew.isHeldUp(); // the thread may wait for the caller of this
        boolean idle = broken ? !pool.crew.isBusy() : pool.crew.isAsleep() && (!queued || heldUp);
        boolean still = idle && begun == progress;
        boolean awaited = broken || (pool.waiters.areAny() && !heldUp);
        if (still && (awaited || now - since >= UNAWAITED_NANOS)) {
            pool.timers.beside(action);
            return;
        }
        since = still ? since : now;
        progress = idle ? begun : -1;
        later();
    }

    private boolean isAnyQueued() {
        if (pool.hasWork()) {
            return true;
        }
        Queued queued = new Queued();
        engine.visit(queued);
        return queued.any;
    }

    /** Finds out whether there is a ready node. */
    private static final class Queued implements NodeVisitor {
        private boolean any;

        @Override
        public void worker(int index, String thread, String doing, @Nullable Node node) {
            any |= node != null;
        }

        @Override
        public void queued(Node node, String where) {
            any = true;
        }

        @Override
        public void hidden(long nodes, String where) {
            any |= nodes > 0;
        }
    }
}
