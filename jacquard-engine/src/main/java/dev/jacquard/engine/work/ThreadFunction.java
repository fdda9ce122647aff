package dev.jacquard.engine.work;

import dev.jacquard.base.concurrent.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Code of the user's that a thread runs and that others may interrupt: the body of a task with a time limit, the
 * function of a task on a thread of the user's, the component of a program, the body of a copy in a flow. Where the
 * code submits or waits, an engine may run nodes on its thread. While it does so, it {@linkplain #pauseInnermost
 * pauses} the code: an interrupt that is meant for the code waits until it goes on, since one that reached a node would
 * be forgotten with it.
 *
 * <p>Functions nest: who pauses one pauses the enclosing ones too.
 *
 * <p><strong>Loops.</strong> Threads that help with a loop of a function run its parts as functions, which belong to
 * it, as does a function that begins inside of another one while that runs itself:
 *
 * <pre>
 *  interrupt()                                   a thread that helps
 *    interrupted = true                            begins a part of the function            (state of the part)
 *    interrupts the function's thread              reads if the function is stopped; runs no part if it is
 *    looks at the part of each thread that may     runs the part
 *      help, and interrupts parts that belong      ends the part, and forgets its interrupt (state of the part)
 *      to the function     (state of the part)
 * </pre>
 *
 * <p>Of the first look and the begin of a part, the one that comes second in the order of the part's state sees the
 * other: the thread sees that the function is stopped, or is interrupted. The end and an interrupt exclude each other,
 * so that no thread is interrupted for a part that it has left. A function is over after all parts of its loops, so
 * that the functions to which a part belongs do not change while the part runs.
 *
 * <p><strong>State.</strong> The thread moves the state by one read-modify-write, and takes no lock while nothing
 * interrupts it:
 *
 * <pre>
 *  IDLE --begin--> RUNS &lt;--pause, goOn--> PAUSED        RUNS --end--> IDLE
 *                  RUNS, PAUSED &lt;--interrupt--> with BUSY, under the monitor of the function
 * </pre>
 *
 * <p>Where the thread finds the state busy, it waits for the monitor. The writes of an interrupt while the state is
 * busy are seen by the thread's next move, and the other way round.
 *
 * <p>Threads: begun, paused and ended by the thread that runs it, interrupted by any. Monitors nest in one way only:
 * that of a function, then that of a part of one of its loops.
 */
public abstract class ThreadFunction {
    /** The function does not run. */
    private static final int IDLE = 0;
    /** The thread runs the function itself. */
    private static final int RUNS = 1;
    /** Nodes run on the thread, inside of the function. */
    private static final int PAUSED = 2;
    /** Added to the state by a thread that interrupts the function. */
    private static final int BUSY = 4;

    private static final VarHandle STATE = Fields.handle(MethodHandles.lookup(), "state", int.class);

    /** The innermost function of a thread, in a holder that is confined to the thread and empty between functions. */
    private static final ThreadLocal<AtomicReference<@Nullable ThreadFunction>> INNERMOST =
            ThreadLocal.withInitial(AtomicReference::new);
    /**
     * True from when any thread began to run a function. A thread that runs one has set this itself before, so plain
     * reads are enough; where there are none, which is so in most programs, nothing is looked up.
     */
    private static boolean any;

    /** The function that the thread runs around this one; null for none. Confined to the thread. */
    private @Nullable ThreadFunction around;
    /**
     * The function to which this one belongs, so that an interrupt of that one is meant for this one too: the one
     * around it, unless nodes run inside of that, or the one with the loop of which this is a part. Null for none.
     * Written by the thread at the begin and the end. Others read it while they help with a loop of the function, which
     * the thread opens and closes in between, or under the monitor of a part that does.
     */
    private @Nullable ThreadFunction whole;
    /**
     * The threads that may help with loops of this function; null before the first. Written once, by the thread, before
     * it opens a loop; volatile, since an interrupt reads it. One that reads null comes before any help: the write of
     * {@link #interrupted} before it is seen by each thread that helps.
     */
    private volatile @Nullable Helpers helpers;
    /** True if the function around this one was paused with it. Confined to the thread. */
    private boolean pausedAround;

    /** The thread that runs the function, once the state is not {@link #IDLE}. Written by it before that. */
    private @Nullable Thread thread;
    /** Where the innermost function of that thread is. Confined to the thread. */
    private @Nullable AtomicReference<@Nullable ThreadFunction> innermost;
    /**
     * The state of the function: see above. The thread writes it volatile at the begin, so that a look at the causes to
     * stop comes after that, else by read-modify-writes; with a lock of its caller's, by release. Others set and unset
     * {@link #BUSY}, under the monitor.
     */
    private volatile int state = IDLE;
    /**
     * True once it was interrupted, or is to be. Written while the state is busy, and by the thread before it begins;
     * volatile, since threads that run parts of its loops read it.
     */
    private volatile boolean interrupted;
    /** True while its thread runs another function inside of it. Guarded by the monitor. */
    private boolean covered;
    /** True if it was interrupted while covered. Guarded by the monitor, or written by the thread before it begins. */
    private boolean unheard;
    /**
     * True if an interrupt is to be delivered when the function goes on. Written like {@link #interrupted}, and unset
     * by the thread; volatile, since its thread reads it without between nodes.
     */
    private volatile boolean due;

    /** Threads that help with loops. */
    @FunctionalInterface
    public interface Helpers {
        /** Interrupts the threads that run a part of a loop of {@code function}. Any thread. */
        void interruptParts(ThreadFunction function);
    }

    /** For subclasses. */
    protected ThreadFunction() {}

    /** Returns the innermost function that the calling thread runs; null when it runs none. */
    public static @Nullable ThreadFunction innermost() {
        return any ? INNERMOST.get().getPlain() : null;
    }

    /** Returns the innermost function that the calling thread runs, if no nodes run inside of it; else null. */
    public static @Nullable ThreadFunction atWork() {
        ThreadFunction its = innermost();
        return its == null || its.isPaused() ? null : its;
    }

    /**
     * Pauses the functions that the calling thread runs, from the innermost on, up to one that is paused already. The
     * thread runs nodes inside of them from here on, until {@link #goOn}.
     *
     * @return the innermost; null when there is none to pause
     */
    public static @Nullable ThreadFunction pauseInnermost() {
        ThreadFunction its = innermost();
        return its != null && its.pause() ? its : null;
    }

    /** Returns the function that the thread runs around this one; null for none. */
    public final @Nullable ThreadFunction around() {
        return around;
    }

    /** The calling thread runs the function from now on, inside of the innermost. */
    public final void begin() {
        prepare(null);
        state = RUNS;
    }

    /**
     * Begins like {@link #begin}, for a caller that then takes a lock which interrupting threads have held before: so
     * they are seen without a fence here.
     */
    public final void beginBeforeLock() {
        prepare(null);
        STATE.setRelease(this, RUNS);
    }

    /** The calling thread runs a part of a loop of {@code function}, which another thread runs, from now on. */
    public final void beginPartOf(ThreadFunction function) {
        prepare(function);
        state = RUNS; // volatile: before the look whether the function is stopped
    }

    private void prepare(@Nullable ThreadFunction loops) {
        any = true;
        AtomicReference<@Nullable ThreadFunction> here = INNERMOST.get();
        ThreadFunction outer = here.getPlain();
        innermost = here;
        around = outer;
        whole = loops != null || outer == null || outer.isPaused() ? loops : outer;
        here.setPlain(this);
        if (outer != null) {
            outer.cover();
        }
        if (interrupted) { // by an earlier run
            interrupted = false;
        }
        unheard = false;
        if (due) {
            due = false;
        }
        thread = Thread.currentThread();
    }

    /**
     * The function is over. Its thread is not interrupted by it any more, nor left so. A function around it that was
     * interrupted since is so again, since this one may have taken that for its own.
     */
    public final void end() {
        move(RUNS, IDLE);
        ended();
    }

    /** Ends like {@link #end}, for a caller that holds a lock which interrupting threads hold. */
    public final void endUnderLock() {
        STATE.setRelease(this, IDLE);
        ended();
    }

    private void ended() {
        ThreadFunction outer = around;
        around = null;
        whole = null;
        thread = null;
        Objects.requireNonNull(innermost).setPlain(outer);
        if (interrupted) {
            Thread.interrupted(); // meant for the function, and not for the next code of the thread
        }
        if (outer != null) {
            outer.uncover();
        }
    }

    /** Moves the state, by the thread. Waits for one that interrupts the function. */
    private void move(int from, int to) {
        if (!STATE.compareAndSet(this, from, to)) {
            synchronized (this) { // held while the state is busy
                state = to;
            }
        }
    }

    private void cover() {
        synchronized (this) {
            covered = true;
        }
    }

    /** Interrupts the function again if it was while another one ran inside of it. */
    private void uncover() {
        synchronized (this) {
            covered = false;
            if (unheard) {
                unheard = false;
                boolean _ = interruptThread(); // its helpers have heard
            }
        }
    }

    /**
     * Interrupts the function if it runs, and the threads that run parts of its loops; threads that run nodes inside of
     * it, as soon as these are over. No further part of its loops begins.
     *
     * @return false if it does not run
     */
    public final synchronized boolean interrupt() {
        if (!interruptThread()) {
            return false;
        }
        Helpers its = helpers;
        if (its != null) {
            its.interruptParts(this);
        }
        return true;
    }

    /** Interrupts the thread alone. With the monitor held. */
    private boolean interruptThread() {
        int now = takeState();
        if (now != IDLE) {
            interruptThread(now);
            state = now;
        }
        return now != IDLE;
    }

    /** Interrupts the thread, which runs the function in that state. While the state is busy. */
    private void interruptThread(int now) {
        interrupted = true;
        unheard |= covered;
        if (now == PAUSED) {
            due = true;
        } else {
            Objects.requireNonNull(thread).interrupt();
        }
    }

    /** Makes the state busy, unless the function does not run. Returns the state before. With the monitor held. */
    private int takeState() {
        int now = state;
        while (now != IDLE) {
            int seen = (int) STATE.compareAndExchange(this, now, now | BUSY);
            if (seen == now) {
                return now;
            }
            now = seen; // the thread moved it: that is never busy under the monitor
        }
        return IDLE;
    }

    /** Interrupts this part of a loop if it runs and belongs to {@code function}. */
    public final synchronized void interruptPartOf(ThreadFunction function) {
        int now = takeState();
        if (now == IDLE) {
            return;
        }
        for (ThreadFunction its = whole; its != null; its = its.whole) {
            if (its == function) {
                interruptThread(now);
                break;
            }
        }
        state = now;
    }

    /** Returns true if {@link #interrupt} was called while the function ran. */
    public final boolean isInterrupted() {
        return interrupted;
    }

    // ---- loops

    /**
     * Notes that {@code its} may help with loops of this function, and of the enclosing ones to which it belongs. By
     * its thread, before it opens a loop.
     *
     * @return false if other threads help with loops of one of these, which an interrupt of both would not reach
     */
    public final boolean mayBeHelpedBy(Helpers its) {
        for (ThreadFunction each = this; each != null; each = each.whole) {
            if (each.helpers != null && each.helpers != its) {
                return false;
            }
        }
        for (ThreadFunction each = this; each != null && each.helpers == null; each = each.whole) {
            each.helpers = its;
        }
        return true;
    }

    /**
     * Returns true if no further part of a loop of this function may begin: it was interrupted, or one to which it
     * belongs. By its thread, and by helpers of its loop.
     */
    public final boolean isStopped() {
        for (ThreadFunction its = this; its != null; its = its.whole) {
            if (its.interrupted) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns true if an interrupt of the function, or of one around it, waits until it goes on. By the thread that
     * runs it.
     */
    public final boolean isDue() {
        ThreadFunction its = this;
        while (its != null && !its.due) {
            its = its.around;
        }
        return its != null;
    }

    /** Returns the thread that runs the function; null before and after. Any thread. */
    public final @Nullable Thread thread() {
        return state == IDLE ? null : thread;
    }

    /** Returns true while nodes run inside of the function. Any thread. */
    public final boolean isPaused() {
        return (state & PAUSED) != 0;
    }

    /** Nodes run inside of the function, until {@link #goOn}. Returns false if that was so before. */
    private boolean pause() {
        if (isPaused()) {
            return false;
        }
        move(RUNS, PAUSED);
        pausedAround = around != null && around.pause();
        return true;
    }

    /** Nothing else runs inside of the function any more. */
    public final void goOn() {
        if (around != null && pausedAround) {
            pausedAround = false;
            around.goOn();
        }
        move(PAUSED, RUNS);
        if (due) {
            due = false;
            Thread.currentThread().interrupt();
        }
    }
}
