package dev.jacquard.core.engine;

import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.machine.Target;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.schedule.Stealing;
import dev.jacquard.core.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The threads of an engine, played by one thread: which worker takes the next step, or whether the submitter or a timer does, is
 * drawn from a seed. A worker that went to sleep takes no step until somebody woke it, as with threads.
 *
 * <p>Explores the orders of steps, not the memory orders inside of one.
 */
final class SeededSchedule {
    private static final int MOST_STEPS = 1_000_000;

    /**
     * Something that happens between steps.
     *
     * @param byOpener whether the thread that opened the session does it: it is the first worker, and so cannot sleep then
     * @param what submits tasks, makes nodes ready
     */
    record Action(boolean byOpener, Runnable what) {}

    private final Random random;
    private final Engine engine;
    private final boolean[] parked;
    /** Time on the engine's clock. */
    private long now;

    /** Engines of {@code workers} workers that differ in patience by the seed. The caller is the first worker. */
    SeededSchedule(long seed, int workers) {
        this(seed, workers, new Stealing());
    }

    SeededSchedule(long seed, int workers, Policy policy) {
        this(seed, workers, policy, Map.of());
    }

    SeededSchedule(long seed, int workers, Policy policy, Map<Target, Integer> targets) {
        this.random = new Random(seed);
        EngineOptions options = new EngineOptions(workers, random.nextInt(3)).withPolicy(policy);
        this.engine = new Engine(options.withTargets(targets), new Trace(clock(), 0));
        this.parked = new boolean[engine.workers()];
    }

    /** Time passes when somebody looks, by as much as the seed says. */
    private Clock clock() {
        return () -> now += random.nextInt(2_000);
    }

    /** The engine, which has no threads. */
    Engine engine() {
        return engine;
    }

    /**
     * Plays until all is over: interleaves the actions, in their order, with the steps of the workers.
     *
     * @param actions what happens besides the steps
     * @param over whether all that was begun is over
     * @throws AssertionError when all workers sleep, nothing is left to submit, and it is not over
     */
    void play(List<Action> actions, BooleanSupplier over) {
        int next = 0;
        for (int step = 0; step < MOST_STEPS; step++) {
            List<Worker> awake = awake();
            boolean left = next < actions.size();
            if (!left && over.getAsBoolean()) {
                return;
            }
            boolean timed = engine.timers().pending() > 0;
            if (!left && !timed && awake.isEmpty()) {
                throw new AssertionError("hang: all workers sleep after " + step + " steps");
            }
            int choice = random.nextInt(awake.size() + (left ? 1 : 0) + (timed ? 1 : 0));
            if (choice < awake.size()) {
                step(awake.get(choice));
            } else if (timed && choice == awake.size()) {
                passTime();
            } else {
                perform(actions.get(next++));
            }
        }
        throw new AssertionError("no end after " + MOST_STEPS + " steps");
    }

    /** Runs the timers that are due, and lets time pass to the next. On another thread: that of timers is no worker. */
    private void passTime() {
        CompletableFuture.runAsync(() -> {
                    long left = engine.timers().runDue();
                    if (left != Long.MAX_VALUE) {
                        now += left;
                        engine.timers().runDue();
                    }
                })
                .join();
    }

    private void perform(Action action) {
        Worker first = engine.workerArray()[0];
        if (action.byOpener) {
            if (first.isSleeping()) {
                first.wake();
            }
            first.leave();
        }
        action.what.run();
    }

    /** Steps every worker, in turn, until all sleep. */
    void stepUntilAllSleep() {
        for (List<Worker> awake = awake(); !awake.isEmpty(); awake = awake()) {
            awake.forEach(this::step);
        }
    }

    /** One step of {@code worker}, which must be awake. */
    Step step(Worker worker) {
        Step step = worker.step();
        parked[worker.index()] = step == Step.SLEEP;
        return step;
    }

    /** The workers that would take a step. */
    List<Worker> awake() {
        List<Worker> awake = new ArrayList<>();
        for (Worker worker : engine.workerArray()) {
            if (!parked[worker.index()] || !worker.isSleeping()) {
                awake.add(worker);
            }
        }
        return awake;
    }
}
