package dev.jacquard.core.compiled;

import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.work.ReadyTask;
import java.util.BitSet;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The ready tasks of a graph with its own schedule, and which of them is next. Checks that the schedule keeps its
 * rules: when it does not, the run is cancelled, and its tasks are taken in the order of their numbers.
 *
 * <p>Threads: any; all is guarded by the monitor, under which the schedule is called too, as its contract says.
 */
final class Scheduled {
    /** The calls of the contract that have no answer. */
    private enum Call {
        BEGIN,
        PUSH,
        FINISHED,
        END
    }

    private final String scheduler;
    private final Scheduler.Dynamic schedule;
    private final RunState run;
    /** All tasks, by number. */
    private final CompiledTask[] tasks;
    /** The tasks that are in the schedule. */
    private final BitSet ready = new BitSet();
    /** The mistake of the schedule, which is asked no more; null as long as it made none. */
    private @Nullable PolicyException mistake;

    Scheduled(String scheduler, Scheduler.Dynamic schedule, RunState run, CompiledTask[] tasks) {
        this.scheduler = scheduler;
        this.schedule = schedule;
        this.run = run;
        this.tasks = tasks;
    }

    /** Notifies the schedule that a run begins. Before its first task. */
    synchronized void begin() {
        tell(Call.BEGIN, null);
    }

    /** Notifies the schedule that a run is over. After its last task. */
    synchronized void end() {
        tell(Call.END, null);
    }

    /** Notifies the schedule that {@code task} ended well. Called before its successors become ready. */
    synchronized void finished(CompiledTask task) {
        tell(Call.FINISHED, task);
    }

    /** Gives a task that is ready to the schedule. */
    synchronized void push(CompiledTask task) {
        ready.set(task.number());
        task.expect(task.ownNanos());
        tell(Call.PUSH, task);
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
        if (mistake == null) {
            try {
                ReadyTask next = schedule.pop(worker);
                if (next instanceof CompiledTask task && owns(task) && ready.get(task.number())) {
                    ready.clear(task.number());
                    return task;
                }
                mistake = wrong(next);
            } catch (Throwable e) {
                mistake = PolicyException.ofScheduler(scheduler, null, "threw from pop", e);
            }
        }
        CompiledTask first = tasks[ready.nextSetBit(0)];
        ready.clear(first.number());
        return first;
    }

    private boolean owns(CompiledTask task) {
        return task.number() < tasks.length && tasks[task.number()] == task;
    }

    private PolicyException wrong(@Nullable ReadyTask next) {
        if (next == null) {
            String what = "keeps " + ready.cardinality() + " ready tasks of graph \"" + run.name()
                    + "\" back: pop must answer one of them";
            return PolicyException.ofScheduler(scheduler, null, what, null);
        }
        String why = next instanceof CompiledTask task && owns(task)
                ? "which was taken out before, or was never ready"
                : "which is no task of graph \"" + run.name() + '"';
        return PolicyException.ofScheduler(
                scheduler, next.name(), "returned task \"" + next.name() + "\", " + why, null);
    }

    private void tell(Call call, @Nullable CompiledTask task) {
        if (mistake != null) {
            return;
        }
        try {
            switch (call) {
                case BEGIN -> schedule.begin();
                case PUSH -> schedule.push(Objects.requireNonNull(task));
                case FINISHED -> schedule.finished(Objects.requireNonNull(task));
                case END -> schedule.end();
            }
        } catch (Throwable e) {
            String name = task == null ? null : task.name();
            String what = "threw from " + call.name().toLowerCase(Locale.ROOT);
            mistake = PolicyException.ofScheduler(
                    scheduler, name, what + (name == null ? "" : " of task \"" + name + '"'), e);
        }
    }

    /** Returns the mistake that ended this run, or an earlier one; null for none. */
    synchronized @Nullable PolicyException mistake() {
        return mistake;
    }
}
