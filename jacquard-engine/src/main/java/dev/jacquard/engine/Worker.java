package dev.jacquard.engine;

import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.engine.work.ThreadFunction;
import dev.jacquard.engine.work.Wait;
import dev.jacquard.engine.work.WaitFlag;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs nodes, one {@link #step} at a time. A thread calls it in a loop; a test may call it too, and so choose the order
 * of everything that happens. Confined to the thread that takes the steps.
 */
final class Worker extends NodeFinder {
    /** The number of levels of nodes that a submitting thread runs in between. */
    private static final int MOST_BETWEEN = 8;

    Worker(WorkerPool pool, int index, Role role, @Nullable PlaceQueue queue, EngineOptions options) {
        super(pool, index, role, queue, options);
    }

    /** Returns true if the user's thread, which does not wait, may run {@code node}. By that thread. */
    boolean mayRunNow(Node node) {
        return home && node.isForHost() && !running && !pool.ending.isBroken();
    }

    /** Runs {@code node} in between, if the other workers have enough nodes; see {@link Dispatcher#runNow}. */
    int runNow(Node node, int enough) {
        if (!deque.holds(enough)) {
            return Dispatcher.NOT_RUN;
        }
        runNow(node);
        return Dispatcher.AMONG_OTHERS;
    }

    /** Runs {@code node} in between. By the user's thread, which does not wait. */
    void runNow(Node node) {
        begin(node, false);
        pool.watch.begin();
        try {
            node.run(this);
        } finally {
            running = false;
            rest();
            // After the fence of a task's end. No step follows that would find nothing to do and wake the waiting
            // threads.
            if (pool.waiters.any()) {
                pool.waiters.wakeSoon();
            }
            if (unannounced) {
                unannounced = false;
                pool.announce();
            }
        }
    }

    /**
     * Runs ready nodes in between, until {@code enough} or none is there: inside of a node, which goes on after them,
     * or by the user's thread, which does not wait. Nested a few levels deep only, since each takes a part of the same
     * stack.
     */
    void runBetween(BooleanSupplier enough) {
        if (between == MOST_BETWEEN) {
            return;
        }
        Thread current = Thread.currentThread();
        boolean inside = running;
        Node outer = current();
        between++;
        pool.watch.begin(); // after the count: the watch goes on for either
        lane.pause();
        if (outer != null) {
            outer.pause();
        }
        ThreadFunction function = ThreadFunction.pauseInnermost(); // its interrupt must not reach the nodes in between
        try {
            // One that came before is for the body that submits, or for the next wait: then no body runs in between.
            while (!current.isInterrupted() && !enough.getAsBoolean() && runOneBetween()) {
                running = inside;
                forgetInterrupt(current);
            }
        } finally {
            between--;
            running = inside;
            if (inside) {
                rest();
                this.current = outer;
                part = WHOLE;
                rowEnd = nodes;
                lastInRow = rowEnd;
            } else {
                leave();
            }
            if (function != null) {
                function.goOn();
            }
            if (outer != null) {
                outer.goOn();
            }
            if (pool.waiters.any()) {
                pool.waiters.wakeSoon();
            }
        }
    }

    private boolean runOneBetween() {
        Node node = scheduler == null ? take() : takeByPolicy(scheduler);
        if (node == null) {
            return false;
        }
        begin(node, false);
        try {
            if (scheduler != null) {
                shift.run(node, this, scheduler, pool.clock);
            } else {
                node.run(this);
            }
        } finally {
            if (unannounced) {
                unannounced = false;
                pool.announce();
            }
        }
        return true;
    }

    private void begin(Node node, boolean goesOn) {
        nodes++;
        current = node;
        part = WHOLE;
        rowEnd = goesOn ? (nodes + lookUpMask) & ~lookUpMask : nodes; // where the next look is due
        lastInRow = around == null ? rowEnd : nodes;
        running = true;
    }

    @Override
    public boolean goesOn(int step) {
        WaitFlag done = until;
        // As between two steps: news, of which the end of the engine is one, and the end of the wait come first.
        if ((nodes == lastInRow && !goesOnBehindLook()) || calm.any() || (done != null && done.isUp())) {
            return false;
        }
        forgetInterrupt(Thread.currentThread());
        nodes++;
        part = step;
        return true;
    }

    /** Announces the nodes that the last part made ready for other workers; returns true unless the row ends here. */
    private boolean goesOnBehindLook() {
        lastInRow = rowEnd;
        if (unannounced) {
            unannounced = false;
            pool.announce();
        }
        return nodes != rowEnd && (around == null || goesOnWithin(around));
    }

    /** Returns true unless an interrupt is due to a function around the wait; asks before the next part too. */
    private boolean goesOnWithin(ThreadFunction function) {
        lastInRow = nodes + 1;
        return !function.isDue();
    }

    /** Runs a node if there is one, and the parts that follow it at once; else says how to wait for one. */
    Step step() {
        return step(true);
    }

    /** Runs a node if there is one, and the parts that {@linkplain WorkerContext#goesOn follow} if {@code goesOn}. */
    Step step(boolean goesOn) {
        Node node = (nodes & lookUpMask) == 0 || calm.any() ? null : takeOwn();
        if (node == null) {
            node = choose();
        }
        if (node == null) {
            return lookOn();
        }
        fruitless = 0;
        begin(node, goesOn && scheduler == null);
        try {
            if (scheduler != null) {
                shift.run(node, this, scheduler, pool.clock);
            } else {
                node.run(this);
            }
        } finally {
            running = false;
            if (unannounced) {
                unannounced = false;
                pool.announce();
            }
        }
        return Step.RAN;
    }

    private Step lookOn() {
        if (role == Role.HOST && pool.loops.areOpen() && help()) {
            fruitless = 0;
            return Step.RAN;
        }
        if (fruitless++ == 0) {
            current = null; // must not keep it alive
            lane.pause();
            pool.waiters.signal(); // a thread may wait for the last action of this worker
        }
        // While it looks away there may be nodes: it must not try to sleep. It looks away in steal() alone.
        if (backoff.isAway() && need == null) {
            fruitless = 1; // its patience begins after that: else it sleeps, and forgets, at the first look in vain
            return Step.LOOK_AGAIN;
        }
        if (fruitless <= patience) {
            return Step.LOOK_AGAIN;
        }
        if (leftOthers) {
            return Step.NAP; // to sleep until nodes become ready would be to wake for each of the others
        }
        backoff.sleeps();
        lookUpMask = 0; // looks in vain say nothing about the length of the nodes that wake it
        fruitless = 1; // whatever wakes it, it looks around again, and has already signalled the waiters
        // Counted first: the count is never less than the workers that can be woken. The other way round a waker that
        // sees the announcement takes the worker off the count before it is on it, and the count hides another worker
        // that sleeps.
        if (role == Role.HOST) {
            pool.sleepers.add(1); // a full fence: pairs with the one in announce()
        }
        sleeping = true; // volatile: pairs with the wakers' read; the look below comes after it
        if (hasWork()) {
            wake();
            return Step.LOOK_AGAIN;
        }
        if (scheduler != null) {
            scheduler.requireProgress();
        }
        return Step.SLEEP;
    }

    /** Takes a part of a loop that another worker runs. Whether there was one. */
    private boolean help() {
        current = null;
        running = true;
        try {
            boolean found = pool.loops.help(index);
            helped += found ? 1 : 0;
            return found;
        } finally {
            running = false;
        }
    }

    private boolean hasWork() {
        if (queue != null && !queue.isEmpty()) {
            return true;
        }
        if (pool.ending.isClosed() || (role == Role.HOST && pool.loops.areOpen())) {
            return true;
        }
        if (scheduler != null) {
            return role == Role.HOST && scheduler.hasNewsFor(this);
        }
        return role == Role.HOST ? pool.hasWork() : hasQueued();
    }

    /**
     * The user's thread begins to wait, and runs only the nodes that {@code wait} needs; all when that is null.
     * Policies decide by themselves.
     *
     * @param flag at which it looks between the parts of a node, and so at interrupts of the function around the wait;
     *     null for none
     */
    void arrive(@Nullable Wait wait, @Nullable WaitFlag flag) {
        need = wait;
        until = flag;
        around = flag == null ? null : ThreadFunction.innermost();
        calm = news == null || wait != null ? ALWAYS_NEWS : news;
        present = true;
        if (role == Role.HOST) {
            unbind = pool.binding.bind(index);
        }
    }

    /** The thread that takes the steps does something else from now on: its next node goes to the queue. */
    void leave() {
        present = false;
        until = null;
        around = null;
        if (unbind != null) {
            unbind.run();
            unbind = null;
        }
        need = null;
        calm = news == null ? ALWAYS_NEWS : news;
        metOthers = false;
        leftOthers = false;
        rest();
        deque.forgetStolen(); // its slots must keep no finished work alive while the thread is elsewhere
        if (scheduler != null) {
            away = true; // volatile, like the field read next: who pushes later sees it
            if (role == Role.HOST) {
                scheduler.leftBehindBy(this);
            }
            scheduler.requireProgress();
        }
    }

    /** The thread goes on with something else: keeps nothing alive, and nothing from the others. */
    private void rest() {
        current = null;
        lane.pause();
        shareNext();
    }

    /**
     * Forgets the interrupt that a body left: the next body must not see it, nor does it end a wait, nor keep the
     * thread awake. By the thread that ran a node.
     */
    static void forgetInterrupt(Thread current) {
        if (current.isInterrupted()) {
            Thread.interrupted();
        }
    }

    @Override
    public void ranNothing() {
        shift.ranNothing();
    }

    @Override
    public void parallelFor(long from, long to, long grain, int helpers, RangeBody body) throws Exception {
        pool.loops.run(from, to, grain, helpers, body, null);
    }
}
