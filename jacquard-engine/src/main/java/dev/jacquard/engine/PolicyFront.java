package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.PolicyGuard;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import java.util.List;
import java.util.Objects;

/**
 * The questions of fronts that the scheduling policy answers. An exception of the policy ends the engine. Threads: any;
 * the policy is notified of submissions by one thread at a time when it wants that.
 */
abstract class PolicyFront extends BackgroundFront {
    private final PolicyGuard<Node> guard;
    private final Ending ending;
    private final TimeModel times;
    private final WorkerPool pool;
    private final PolicyQuestions questions;
    private final int hostWorkers;

    PolicyFront(WorkerPool pool) {
        super(pool);
        this.pool = pool;
        this.guard = pool.guard;
        this.ending = pool.ending;
        this.times = pool.times;
        this.hostWorkers = pool.crew.hosts().length;
        boolean submissions = guard.needs(Need.SUBMISSIONS);
        this.questions = new PolicyQuestions(
                pool.scheduler != null || submissions, submissions, guard.needs(Need.HOST_FOR_KERNELS));
    }

    @Override
    public final Place choose(ReadyTask task, MachineState machine) {
        try {
            return guard.place(task, machine);
        } catch (PolicyException e) {
            fail(e);
            return machine.places().getFirst();
        }
    }

    /** Returns why the newest tasks went to one of several places, the last one last. */
    public final List<Explanation> explanations() {
        return guard.explanations();
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

    /** Returns true if the policy looks at the times of ready tasks. Constant. */
    public final boolean asksTimes() {
        return guard.needs(Need.TIMES);
    }

    @Override
    public final int hostWorkers() {
        return hostWorkers;
    }

    @Override
    public final PolicyQuestions policyQuestions() {
        return questions;
    }

    @Override
    public final void submitted(ReadyTask task, Edges edges) {
        if (!questions.submissions()) {
            return;
        }
        try {
            guard.submitted(task, edges);
        } catch (PolicyException e) {
            fail(e);
        }
    }

    @Override
    public final long rank(ReadyTask task) {
        Objects.requireNonNull(task, "task");
        try {
            return guard.rank(task);
        } catch (PolicyException e) {
            fail(e);
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
}
