package dev.jacquard.flow.runtime;

import dev.jacquard.base.machine.ExecutionTarget;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a task whose items are routed by measured time: its load, and the timer that lets it look again while it
 * sleeps and leaves all waiting items to other copies.
 *
 * <p>Threads: see the fields and methods.
 */
final class RoutedCopy {
    private static final long SHORTEST_LOOK_NANOS = 50_000;

    /** Guarded by the stage. */
    final CopyLoad load;

    private final EmittingCopy copy;
    private final Stage stage;
    private final RoutedItems items;
    private final RunTimer timer;
    private final AtomicBoolean armed = new AtomicBoolean();
    /** The item that the body works on. Confined to the activation. */
    private CopyLoad.@Nullable Taken current;
    /** True once the device was found lost. Confined to the activation. */
    private boolean isLost;

    private RoutedCopy(EmittingCopy copy, int target, Stage stage, RoutedItems items) {
        this.copy = copy;
        this.load = new CopyLoad(target);
        this.stage = stage;
        this.items = items;
        this.timer = new RunTimer(copy.run.workers());
        items.add(load);
    }

    /** Adds a copy to the routing of its stage; returns null if there is none. */
    static @Nullable RoutedCopy join(EmittingCopy copy, Stage stage) {
        Routing routing = stage.setup.routing;
        int number = copy.info.index() - stage.setup.plan.share().first();
        return routing == null || stage.routed == null
                ? null
                : new RoutedCopy(copy, routing.target(number), stage, stage.routed);
    }

    // ---- the activation

    /** Takes the copy out of service if its device is lost. */
    void checkDevice() {
        ExecutionTarget device = copy.info.device();
        if (!isLost && device != null && copy.run.submissions().isLost(device)) {
            isLost = true;
            leave();
        }
    }

    /** Moves the item that is for the copy, if there is one, to {@code into}; returns its number. Under the lock. */
    int take(@Nullable Object[] into) {
        current = items.take(load, into);
        return current == null ? 0 : 1;
    }

    /** Sets the item that the body goes on with after the end of its engine tasks. */
    void attach(CopyLoad.@Nullable Taken item) {
        current = item;
    }

    /** Records that the body works, or waits for a buffer. Under the lock. */
    void enter(CopyCounters.Phase phase, long now) {
        if (phase == CopyCounters.Phase.WAITS_FOR_BUFFER) {
            load.waits(now);
        } else {
            load.goesOn(now);
        }
    }

    /** Returns the item that the body works on, or null; no item is the body's any more. */
    CopyLoad.@Nullable Taken detach() {
        CopyLoad.Taken item = current;
        current = null;
        return item;
    }

    /** Records that an item is over, and whether it went well; null counts for nothing. */
    void ended(CopyLoad.@Nullable Taken item, boolean well) {
        if (item != null) {
            synchronized (stage) {
                items.ended(load, item, well);
            }
        }
    }

    /** Takes the copy out of service. */
    void leave() {
        synchronized (stage) {
            load.isOut = true;
        }
    }

    // ---- the sleeping copy

    /** Lets the copy look again, if items wait. Called for a copy that sleeps, by the thread that put it to sleep. */
    void sleeps() {
        double nanos;
        synchronized (stage) {
            nanos = items.patience(load);
        }
        if (nanos >= 0 && armed.compareAndSet(false, true)) {
            timer.set(Math.max(SHORTEST_LOOK_NANOS, (long) nanos), this::look);
        }
    }

    private void look() {
        armed.set(false); // first: a copy that falls asleep from here on sets the timer again
        if (stage.leaveIdle(copy)) {
            copy.wake(null, copy.run.workers(), false);
        }
    }

    /** Takes back the timer. Called when the run has ended. */
    void end() {
        timer.end();
    }

    // ---- others

    /** Returns the copy of the list {@code sleeping} that is to be woken for an item; null for none. Under the lock. */
    static @Nullable Wakeable choose(Wakeable sleeping, RoutedItems items) {
        if (!items.isPlanDue()) {
            return null;
        }
        for (Wakeable one = sleeping; one != null; one = one.next) {
            of(one).load.isAsked = true;
        }
        CopyLoad found = items.next();
        for (Wakeable one = sleeping; one != null; one = one.next) {
            if (of(one).load == found) {
                return one;
            }
        }
        return null;
    }

    /** Returns the route of a copy of a routed task. */
    static RoutedCopy of(Wakeable copy) {
        if (copy instanceof EmittingCopy its && its.route != null) {
            return its.route;
        }
        throw new IllegalStateException("copy " + copy + " has no route");
    }

    /** Returns the mean time of the items so far, in nanoseconds; 0 if there is none. */
    long meanNanos() {
        synchronized (stage) {
            return load.meanNanos();
        }
    }
}
