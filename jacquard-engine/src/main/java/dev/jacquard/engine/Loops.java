package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.engine.work.CancelSignal;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.engine.work.ThreadFunction;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The loops that workers run right now and that others may help with. A worker looks here when it has found nothing
 * else.
 *
 * <p>Sleep: who opens a loop writes a volatile field and then looks for sleepers; who sleeps says so and then looks
 * here.
 *
 * <p>The list is changed under this object's monitor and read without it, from its end to its beginning. A loop that is
 * closed leaves a gap, into which the following loops move one by one, beginning with the first: so a reader misses
 * none that stays open.
 */
final class Loops implements ThreadFunction.Helpers {
    private static final int USUALLY_OPEN = 8;

    private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(Loop[].class);

    private final Sleepers sleepers;
    /** There is no worker that could help. */
    private final boolean alone;
    /** The function of each host worker in a loop that can be interrupted, by its index. */
    private final Part[] parts;
    /** Where a loop is noted that was not closed. */
    private final Breakage broken;
    /**
     * The open loops, the newest last. Elements: written under the monitor (volatile), read by any thread (volatile).
     */
    private volatile @Nullable Loop[] open = new @Nullable Loop[USUALLY_OPEN];
    /** The number of open loops. Written under the monitor. */
    private volatile int count;
    /** The first of the loops that no worker uses right now. Guarded by the monitor. */
    private @Nullable Loop spare;

    /** A part of a loop of a function, on the thread of a worker that helps. */
    static final class Part extends ThreadFunction {}

    /** @param hosts the number of workers of the host; their indices are below */
    Loops(Sleepers sleepers, int hosts, boolean alone, Breakage broken) {
        this.sleepers = sleepers;
        this.alone = alone;
        this.broken = broken;
        this.parts = Stream.generate(Part::new).limit(hosts).toArray(Part[]::new);
    }

    @Override
    public void interruptParts(ThreadFunction function) {
        for (Part part : parts) {
            part.interruptPartOf(function);
        }
    }

    /**
     * Runs a loop on this thread and on {@code helpers} idle workers at most.
     *
     * @param of cancels the loop; null for a loop that nothing cancels
     */
    @SuppressWarnings("Finally") // the error at the end counts more: the engine ends by it
    void run(long from, long to, long grain, int helpers, RangeBody body, @Nullable CancelSignal of) throws Exception {
        long all = Loop.parts(from, to, grain);
        ThreadFunction function = ThreadFunction.atWork();
        if (all < 2 || helpers < 1 || alone || (function != null && !function.mayBeHelpedBy(this))) {
            runAlone(from, to, grain, helpers, body, of);
            return;
        }
        Loop loop = take();
        loop.endsWith(function, of);
        loop.open(from, to, grain, helpers, body);
        open(loop);
        Throwable failure;
        try {
            sleepers.wake(loop.room());
            loop.runAll();
        } finally {
            try {
                close(loop);
                failure = loop.end();
                giveBack(loop);
            } catch (VirtualMachineError e) { // helpers may go on with it after the caller
                broken.by = e; // a field, since there may be no stack left for a call
                throw e;
            }
        }
        Loop.rethrow(failure);
    }

    private synchronized Loop take() {
        Loop loop = spare;
        if (loop == null) {
            return new Loop();
        }
        spare = loop.next;
        return loop;
    }

    private synchronized void giveBack(Loop loop) {
        loop.next = spare;
        spare = loop;
    }

    /** Runs a loop on this thread alone. Its parameters are as in {@link #run}. */
    void runAlone(long from, long to, long grain, int helpers, RangeBody body, @Nullable CancelSignal of)
            throws Exception {
        long all = Loop.parts(from, to, grain);
        if (helpers < 0) {
            throw new IllegalArgumentException("a parallel loop has 0 helpers or more, not " + helpers);
        }
        ThreadFunction function = ThreadFunction.atWork();
        long first = from;
        for (long part = 0; part < all; part++) {
            if ((of != null && of.cancelled()) || (function != null && function.isStopped())) {
                throw Loop.stopped(from, to, part, all);
            }
            long behind = to - first <= grain ? to : first + grain;
            body.run(first, behind);
            first = behind;
        }
    }

    private synchronized void open(Loop loop) {
        @Nullable Loop[] all = open;
        int at = count;
        if (at == all.length) {
            all = Arrays.copyOf(all, 2 * at);
            open = all;
        }
        ELEMENTS.setVolatile(all, at, loop);
        count = at + 1;
    }

    private synchronized void close(Loop loop) {
        @Nullable Loop[] all = open;
        int last = count - 1;
        int at = last;
        while (all[at] != loop) {
            at--;
        }
        for (; at < last; at++) {
            ELEMENTS.setVolatile(all, at, all[at + 1]);
        }
        ELEMENTS.setVolatile(all, last, null);
        count = last;
    }

    /** Does one part of the newest loop that has one left. Whether there was one. By that worker of the host. */
    boolean help(int worker) {
        for (int i = count - 1; i >= 0; i--) {
            Loop loop = at(i);
            if (loop != null && loop.help(parts[worker])) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if a part is left to do. */
    boolean areOpen() {
        for (int i = count - 1; i >= 0; i--) {
            Loop loop = at(i);
            if (loop != null && loop.isOpen()) {
                return true;
            }
        }
        return false;
    }

    /** Returns a loop of the list as it was when the count was read, or is now; null if it is shorter now. */
    private @Nullable Loop at(int index) {
        return (Loop) ELEMENTS.getVolatile(open, index); // an array that took this one's place is longer
    }
}
