package dev.jacquard.core.engine;

import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.machine.Target;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.schedule.Stealing;
import dev.jacquard.core.testing.Choices;
import dev.jacquard.core.trace.Trace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The threads of an engine, played by one thread: which worker takes the next step, or which submitter or a timer does, is a matter of
 * choices, drawn from a seed or given. A worker that went to sleep takes no step until somebody woke it, as with threads. A
 * body may let others play meanwhile ({@link #pause}); it goes on when what they began in that time is over.
 *
 * <p>Explores the orders of steps, not the memory orders inside of one.
 */
final class SeededSchedule {
    private static final int MOST_STEPS = 1_000_000;
    /** How deep bodies may be interrupted by bodies. */
    private static final int MOST_PAUSES = 6;
    /** No worker's index. */
    private static final int NOBODY = -1;

    /**
     * Something that happens between steps.
     *
     * @param byOpener whether the thread that opened the session does it: it is the first worker, and so cannot sleep then, nor
     *     do it while it runs a body
     * @param what submits tasks, makes nodes ready
     */
    record Action(boolean byOpener, Runnable what) {}

    private final Choices choices;
    private final Engine engine;
    private final boolean[] parked;
    /** Those whose steps are under way. */
    private final boolean[] running;
    /** Stand for the workers' threads while others play. */
    private final Thread[] absent;

    private final List<List<Action>> chains = new ArrayList<>();
    private final List<Integer> next = new ArrayList<>();
    /** Chains whose action is under way. */
    private final Set<Integer> busy = new HashSet<>();

    /** What somebody outside is to do at some time. */
    private final List<Runnable> outside = new ArrayList<>();

    private Runnable between = () -> {};
    /** Time on the engine's clock. */
    private long now;

    private int pauses;

    /** Engines of {@code workers} workers that differ in patience by the choices. The caller is the first worker. */
    SeededSchedule(Choices choices, int workers, Policy policy, Map<Target, Integer> targets) {
        this.choices = choices;
        EngineOptions options = new EngineOptions(workers, choices.next(3)).withPolicy(policy);
        this.engine = new Engine(options.withTargets(targets), new Trace(clock(), 0));
        int all = engine.workers();
        this.parked = new boolean[all];
        this.running = new boolean[all];
        this.absent = new Thread[all];
        for (int i = 0; i < all; i++) {
            absent[i] = Thread.ofPlatform().unstarted(() -> {});
        }
    }

    SeededSchedule(long seed, int workers) {
        this(seed, workers, new Stealing());
    }

    SeededSchedule(long seed, int workers, Policy policy) {
        this(seed, workers, policy, Map.of());
    }

    SeededSchedule(long seed, int workers, Policy policy, Map<Target, Integer> targets) {
        this(Choices.drawn(seed), workers, policy, targets);
    }

    /** Time passes when somebody looks, by as much as the choices say. */
    private Clock clock() {
        return () -> now += choices.next(2_000);
    }

    /** The engine, which has no threads. */
    Engine engine() {
        return engine;
    }

    /** Somebody outside does this at some time, once. */
    void later(Runnable what) {
        outside.add(what);
    }

    /** What happens between any two steps, and must not change anything: a check. */
    void between(Runnable check) {
        between = check;
    }

    /**
     * Plays until all is over: interleaves the actions, in their order, with the steps of the workers.
     *
     * @param actions what happens besides the steps
     * @param over whether all that was begun is over
     * @throws AssertionError when all workers sleep, nothing is left to submit, and it is not over
     */
    void play(List<Action> actions, BooleanSupplier over) {
        playAll(List.of(actions), over);
    }

    /** Like {@link #play}, for several lists of actions, each in its order. */
    void playAll(List<List<Action>> actions, BooleanSupplier over) {
        chains.addAll(actions);
        actions.forEach(chain -> next.add(0));
        for (int step = 0; step < MOST_STEPS; step++) {
            between.run();
            if (!move()) {
                if (over.getAsBoolean()) {
                    return;
                }
                throw new AssertionError("hang: all workers sleep after " + step + " steps");
            }
            if (over.getAsBoolean() && isAllSubmitted()) {
                return;
            }
        }
        throw new AssertionError("no end after " + MOST_STEPS + " steps");
    }

    /** Called by a body, which thereby may be interrupted by other workers' steps and by submissions. */
    void pause() {
        if (pauses >= MOST_PAUSES) {
            return;
        }
        pauses++;
        for (int moves = choices.next(4); moves > 0; moves--) {
            between.run();
            move();
        }
        pauses--;
    }

    /** A step of somebody who can take one; false when nobody can. */
    private boolean move() {
        List<Worker> awake = awake();
        List<Integer> submitters = submitters();
        boolean timed = engine.timers().pending() > 0;
        int all = awake.size() + submitters.size() + outside.size() + (timed ? 1 : 0);
        if (all == 0) {
            return false;
        }
        int choice = choices.next(all);
        if (choice < awake.size()) {
            step(awake.get(choice));
        } else if (timed && choice == all - 1) {
            passTime();
        } else if (choice >= awake.size() + submitters.size()) {
            as(NOBODY, outside.remove(choice - awake.size() - submitters.size()));
        } else {
            submit(submitters.get(choice - awake.size()));
        }
        return true;
    }

    private void submit(int chain) {
        Action action = chains.get(chain).get(next.get(chain));
        next.set(chain, next.get(chain) + 1);
        busy.add(chain);
        perform(action);
        busy.remove(chain);
    }

    private boolean isAllSubmitted() {
        for (int i = 0; i < chains.size(); i++) {
            if (next.get(i) < chains.get(i).size()) {
                return false;
            }
        }
        return true;
    }

    /** The chains whose next action can happen now. */
    private List<Integer> submitters() {
        List<Integer> free = new ArrayList<>();
        for (int i = 0; i < chains.size(); i++) {
            if (next.get(i) < chains.get(i).size() && !(chains.get(i).get(next.get(i)).byOpener && running[0])) {
                free.add(i);
            }
        }
        return free;
    }

    private void perform(Action action) {
        if (!action.byOpener) {
            as(NOBODY, action.what);
            return;
        }
        Worker first = engine.workerArray()[0];
        if (first.isSleeping()) {
            first.wake();
        }
        first.leave();
        running[0] = true;
        as(0, action.what);
        running[0] = false;
    }

    /** Does something as worker {@code index}, or as nobody known to the engine. */
    private void as(int index, Runnable what) {
        Worker[] workers = engine.workerArray();
        Thread[] before = new Thread[workers.length];
        for (int i = 0; i < workers.length; i++) {
            Thread known = workers[i].thread();
            before[i] = known == null ? absent[i] : known;
            workers[i].bind(i == index ? Thread.currentThread() : absent[i]);
        }
        try {
            what.run();
        } finally {
            for (int i = 0; i < workers.length; i++) {
                workers[i].bind(before[i]);
            }
        }
    }

    /** Runs the timers that are due, and lets time pass to the next. The thread of timers is no worker. */
    private void passTime() {
        as(NOBODY, () -> {
            long left = engine.timers().runDue();
            if (left != Long.MAX_VALUE) {
                now += left;
                engine.timers().runDue();
            }
        });
    }

    /** Steps every worker, in turn, until all sleep. */
    void stepUntilAllSleep() {
        for (List<Worker> awake = awake(); !awake.isEmpty(); awake = awake()) {
            awake.forEach(this::step);
        }
    }

    /** One step of {@code worker}, which must be awake. */
    Step step(Worker worker) {
        Step[] step = {Step.RAN};
        running[worker.index()] = true;
        as(worker.index(), () -> step[0] = worker.step());
        running[worker.index()] = false;
        parked[worker.index()] = step[0] == Step.SLEEP;
        return step[0];
    }

    /** The workers that would take a step. */
    List<Worker> awake() {
        List<Worker> awake = new ArrayList<>();
        for (Worker worker : engine.workerArray()) {
            if (!running[worker.index()] && (!parked[worker.index()] || !worker.isSleeping())) {
                awake.add(worker);
            }
        }
        return awake;
    }
}
