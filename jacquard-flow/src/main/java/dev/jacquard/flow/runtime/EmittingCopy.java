package dev.jacquard.flow.runtime;

import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.flow.task.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a task as its outlets see it: for which item its body emits now, and how soon the items are passed on.
 *
 * <p>Threads: confined to the activation; any thread may take the {@link #wakes}.
 */
abstract class EmittingCopy extends Wakeable {
    final RunContext run;
    final CopyInfo info;
    /** The body's code, which a stop of the run interrupts. */
    final UserCode code;

    final BatchSizer pace;
    /** The copies that this one is to wake. */
    final WakeList wakes = new WakeList();
    /** The counts and times of the copy. */
    final CopyCounters counters = new CopyCounters();

    /** The number of rules of a bookkeeper; 0 of a task. */
    final int rules;
    /** True if the task begins without a producer. */
    final boolean start;
    /** The effects of the item that the body works on; null if the task neither drops items nor keeps their order. */
    final @Nullable ItemScope scope;
    /** Its part in the routing of items; null if any copy may take any item. Written before the start. */
    @Nullable
    RoutedCopy route;
    /** The part of the copy in the order of its task; null if the task keeps none. Written before the start. */
    EmissionOrder.@Nullable Part order;
    /** True if the task keeps the order of its items. */
    final boolean isOrdered;
    /** True while the body may use its emitter. */
    boolean active;
    /**
     * The ticket of the item that the body works on; 0 if it has none, so that emitted items count as items from
     * outside. In a start task, the last ticket that was given to an emitted item.
     */
    long ticket;
    /** The worker that runs the activation; null if a thread of the copy's own does. */
    @Nullable
    WorkerContext worker;
    /** The worker that is to run the copy again at once, unless another does; null for none. */
    private @Nullable WorkerContext again;
    /** The number of that activation among the nodes of the worker. */
    private int againAt;

    EmittingCopy(RunContext run, StageSetup setup, CopyInfo info) {
        super(setup.plan.options().is(StagePlan.Trait.DEDICATED) ? new DedicatedThread() : null);
        this.run = run;
        this.info = info;
        this.rules = setup.plan.rules().size();
        this.code = new UserCode(run.life()::stopping, own != null);
        this.start = setup.plan.options().is(StagePlan.Trait.START);
        ErrorHandler<Object, Object> handler = setup.plan.options().onError();
        this.isOrdered = setup.order != null;
        this.scope = handler == null && !isOrdered ? null : new ItemScope(this, handler, setup.releasing);
        this.pace = new BatchSizer(
                setup.worksOneByOne(info, own != null),
                own != null,
                run.workers().workers() == 1);
    }

    @Override
    public final String name() {
        return info.task();
    }

    @Override
    final void paused() {
        code.leaveUnderLock();
    }

    /** Records that a phase of the body begins. */
    abstract void works();

    /** Records that a phase of the body, or a batch of items, has ended; returns the time. */
    final long rests() {
        long now = now();
        counters.ends(now);
        return now;
    }

    /** Lets the first {@code count} items of a batch, which are done, leave their place. */
    final void end(Departures batch, int count) {
        long asked = counters.measures() ? now() : 0;
        batch.end(count, wakes);
        if (counters.measures()) {
            counters.locked(now() - asked);
        }
    }

    final long now() {
        return run.workers().trace().nanoTime();
    }

    final void checkActive() {
        if (!active) {
            throw new IllegalStateException("task \"" + name() + "\" used its emitter outside of a phase: "
                    + "an emitter is for use during the call that it was passed to");
        }
    }

    /**
     * Returns the ticket of the item that the body emits now. The signal of a start task that takes buffers has a
     * ticket, and the items that the task emits may hold these buffers. So they come before all items that came from
     * outside since, each before the next.
     */
    final long ticketToEmit() {
        if (start && ticket != 0) {
            ticket = Numbered.below(ticket);
        }
        return ticket;
    }

    // ---- routing

    /** Records that an activation begins to take items. */
    final void begin() {
        if (route != null) {
            route.checkDevice();
        }
        boolean goesOn = worker != null && worker == again && worker.nodes() == againAt && counters.goesOn();
        again = null;
        counters.begins(goesOn ? counters.endNanos : now());
    }

    /**
     * Records that the copy is about to be ready for the next activation. If the worker runs nothing in between, the
     * end of this one is the begin of the next: a clock reading less for an item that is taken alone.
     */
    final void goesOnWith(WorkerContext context) {
        again = context;
        againAt = context.nodes() + 1;
    }

    /** Lets the sleeping copy, which another thread may run already, look for items again. */
    final void lookLater() {
        if (route != null) {
            route.sleeps();
        }
    }

    /** Ends the part of the copy in the routing of items, since the copy shuts down. */
    final void leaveRoute() {
        if (route != null) {
            route.leave();
        }
    }

    /** Cancels the timer of the routing. Called when the run has ended. */
    final void endRoute() {
        if (route != null) {
            route.end();
        }
    }

    /** Records that the item is over, and whether it went well, unless it waits for engine tasks. */
    final void endRouted(boolean well) {
        if (route != null) {
            route.ended(route.detach(), well);
        }
    }

    // ---- others

    /** Fails the run, since nothing can wake the copy, and it is not done; returns the next step. */
    final Step stuck() {
        run.life()
                .fail(
                        info,
                        "canTerminate",
                        null,
                        new IllegalStateException(
                                "its input is closed and it says that it is not done, so that nothing can wake "
                                        + "it: let canTerminate(true) answer true"));
        return Step.AGAIN;
    }

    /** Wakes the collected copies at once, if the batch sizer says so. */
    final void wakeEagerly() {
        if (pace.wakesEagerly()) {
            wakes.fire(worker, run.workers());
        }
    }
}
