package dev.jacquard.core.compiled;

import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.PolicyGuard;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The ready tasks of a graph with its own schedule, and which of them is next. A {@link PolicyGuard} calls the
 * schedule: when that breaks a rule, the run is cancelled, and its tasks are taken in the order of their numbers.
 *
 * <p>Threads: any; all is guarded by the monitor, under which the schedule is called too, as its contract says.
 */
final class Scheduled {
    private final Scheduler.Dynamic schedule;
    private final PolicyGuard<CompiledTask> guard;
    private final PolicyGuard<CompiledTask>.Order order;
    private final RunState run;
    /** All tasks, by number. */
    private final CompiledTask[] tasks;
    /** The ready tasks since the schedule's mistake; null as long as it made none. */
    private @Nullable BitSet left;
    /** The mistake of the schedule, which is asked no more; null as long as it made none. */
    private @Nullable PolicyException mistake;

    Scheduled(String scheduler, Scheduler.Dynamic schedule, RunState run, CompiledTask[] tasks) {
        this.schedule = schedule;
        this.guard = PolicyGuard.ofScheduler(scheduler, schedule, "graph \"" + run.name() + '"');
        this.order = guard.orders(1).getFirst();
        this.run = run;
        this.tasks = tasks;
    }

    /** Notifies the schedule that a run begins. Before its first task. */
    synchronized void begin() {
        if (mistake == null) {
            try {
                schedule.begin();
            } catch (Throwable e) {
                end(guard.threw("begin", null, e));
            }
        }
    }

    /** Notifies the schedule that a run is over. After its last task. */
    synchronized void end() {
        if (mistake == null) {
            try {
                schedule.end();
            } catch (Throwable e) {
                end(guard.threw("end", null, e));
            }
        }
    }

    /** Notifies the schedule that {@code task} ended well. Called before its successors become ready. */
    synchronized void finished(CompiledTask task) {
        if (mistake == null) {
            try {
                schedule.finished(task);
            } catch (Throwable e) {
                end(guard.threw("finished", task, e));
            }
        }
    }

    /** Gives a task that is ready to the schedule. */
    synchronized void push(CompiledTask task) {
        if (left != null) {
            left.set(task.number());
            return;
        }
        task.expect(task.ownNanos());
        try {
            order.push(task);
        } catch (PolicyException e) {
            end(e);
        }
    }

    /** Returns the next task. Called once for each that was pushed. */
    CompiledTask take(int worker) {
        CompiledTask next = next(worker);
        if (mistake() != null) {
            run.cancelBySchedule();
        }
        return next;
    }

    private synchronized CompiledTask next(int worker) {
        BitSet rest = left;
        if (rest == null) {
            try {
                return order.take(worker);
            } catch (PolicyException e) {
                rest = end(e);
            }
        }
        CompiledTask first = tasks[rest.nextSetBit(0)];
        rest.clear(first.number());
        return first;
    }

    /** The schedule made a mistake: it is asked no more. Returns the ready tasks. */
    private BitSet end(PolicyException why) {
        BitSet ready = new BitSet(tasks.length);
        for (CompiledTask task : tasks) {
            ready.set(task.number(), order.holds(task));
        }
        mistake = why;
        left = ready;
        return ready;
    }

    /** Returns the mistake that ended this run, or an earlier one; null for none. */
    synchronized @Nullable PolicyException mistake() {
        return mistake;
    }
}
