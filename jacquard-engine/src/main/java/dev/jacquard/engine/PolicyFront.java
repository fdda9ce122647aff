package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import java.util.List;
import java.util.Objects;

/**
 * The questions of fronts that the scheduling policy answers. An exception of the policy ends the engine. Threads: any;
 * the policy is notified of submissions by one thread at a time when it wants that.
 */
abstract class PolicyFront extends BackgroundFront {
    private final Policy policy;
    private final Placer placer;
    private final Ending ending;
    private final TimeModel times;
    private final WorkerPool pool;
    private final boolean orders;
    private final boolean wantsSubmissions;
    private final boolean exclusive;
    private final boolean weighsHost;
    private final int hostWorkers;
    /** Held while an exclusive policy is notified of a submission. */
    private final Object turn = new Object();

    PolicyFront(WorkerPool pool, Policy policy) {
        super(pool);
        this.pool = pool;
        this.policy = policy;
        this.placer = pool.placer;
        this.ending = pool.ending;
        this.times = pool.times;
        this.orders = pool.scheduler != null;
        this.wantsSubmissions = policy.needs().contains(Need.SUBMISSIONS);
        this.exclusive = policy.needs().contains(Need.EXCLUSIVE_CALLS);
        this.hostWorkers = pool.crew.hosts().length;
        this.weighsHost = policy.needs().contains(Need.HOST_FOR_KERNELS);
    }

    @Override
    public final Place choose(ReadyTask task, MachineState machine) {
        Place place = placer.place(task, machine);
        return place == null ? machine.places().getFirst() : place;
    }

    /** Returns why the newest tasks went to one of several places, the last one last. */
    public final List<Explanation> explanations() {
        return placer.placement().explanations();
    }

    /**
     * Runs {@code action} once, on a background thread, when no worker runs a node or could run one, and a thread waits
     * for them; where none waits, or one that would run the ready nodes is blocked elsewhere, after a second of that.
     * Functions and timers outside of the engine may make nodes ready later. At once where the engine is closed; an
     * action that was not run before that is not run any more.
     */
    public final void whenIdle(Runnable action) {
        new IdleLook(this, pool, Objects.requireNonNull(action, "action")).later();
    }

    @Override
    public final Breakage broken() {
        return ending.broken;
    }

    @Override
    public final TimeModel times() {
        return times;
    }

    @Override
    public final int hostWorkers() {
        return hostWorkers;
    }

    @Override
    public final boolean weighsHost() {
        return weighsHost;
    }

    @Override
    public final boolean wantsSubmissions() {
        return wantsSubmissions;
    }

    @Override
    public final boolean hasPolicy() {
        return orders || wantsSubmissions;
    }

    @Override
    public final void submitted(ReadyTask task, Edges edges) {
        if (!wantsSubmissions) {
            return;
        }
        try {
            if (exclusive) {
                synchronized (turn) {
                    policy.submitted(task, edges);
                }
            } else {
                policy.submitted(task, edges);
            }
        } catch (Throwable e) {
            fail(task, "threw when task \"" + task.name() + "\" was submitted", e);
        }
    }

    @Override
    public final long rank(ReadyTask task) {
        Objects.requireNonNull(task, "task");
        try {
            return policy.rank(task);
        } catch (Throwable e) {
            fail(task, "threw from rank of task \"" + task.name() + '"', e);
            return 0;
        }
    }

    /** Returns true if the run cannot go on: every wait, now and later, says why. */
    public final boolean isBroken() {
        return ending.isBroken();
    }

    @Override
    public final void requireUnbroken() {
        ending.requireUnbroken();
    }

    /** Throws the reason if the engine has ended before its time, and no wait has thrown it. */
    public final void requireTold() {
        ending.requireTold();
    }

    @Override
    public final void whenBroken(Runnable action) {
        Objects.requireNonNull(action, "action");
        ending.whenBroken(() -> background(action));
    }

    private void fail(ReadyTask task, String what, Throwable e) {
        fail(new PolicyException(policy.name(), task.name(), what, e));
    }
}
