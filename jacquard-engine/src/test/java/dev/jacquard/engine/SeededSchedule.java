package dev.jacquard.engine;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.Stealing;
import dev.jacquard.testkit.Choices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of an engine, played by one thread: which worker takes the next step, or which submitter or a timer does,
 * is a matter of choices, drawn from a seed or given. A worker that went to sleep takes no step until somebody woke it,
 * as with threads. A body may let others play meanwhile ({@link #pause}); it goes on when what they began in that time
 * is over.
 *
 * <p>Explores the orders of steps, not the memory orders inside of one.
 */
public final class SeededSchedule {
    private static final int MOST_STEPS = 1_000_000;
    /** How deep bodies may be interrupted by bodies. */
    private static final int MOST_PAUSES = 6;
    /** No worker's index. */
    private static final int NOBODY = -1;

    /**
     * Something that happens between steps.
     *
     * @param byOpener whether the thread that opened the session does it: it is the first worker, and so cannot sleep
     *     then, nor do it while it runs a body
     * @param waits whether it may wait for others: then it begins only while no body is interrupted, since those under
     *     it do not go on before it does
     * @param what submits tasks, makes nodes ready
     */
    public record Action(boolean byOpener, boolean waits, Runnable what) {
        Action(boolean byOpener, Runnable what) {
            this(byOpener, false, what);
        }
    }

    /** Nobody can take a step, and something is not over; or there was no end of steps. */
    public static final class Hang extends AssertionError {
        private static final long serialVersionUID = 1;

        Hang(String why) {
            super(why);
        }
    }

    private final Choices choices;
    private final DrawnClock clock;
    /** Null until it is made. */
    private @Nullable Engine engine;

    /** True if a step of a worker goes on with what follows at once. */
    private boolean goesOn;

    private boolean[] parked = {};
    /** Those whose steps are under way. */
    private boolean[] running = {};
    /** Stand for the workers' threads while others play. */
    private Thread[] absent = {};
    /** Who takes the present step. */
    private int player = NOBODY;

    private final List<List<Action>> chains = new ArrayList<>();
    private final List<Integer> next = new ArrayList<>();
    /** An action of some chain is under way: the others take turns. */
    private boolean busy;

    /** What somebody outside is to do at some time. */
    private final List<Runnable> outside = new ArrayList<>();

    private Runnable between = () -> {};

    private int pauses;
    /** How many steps interrupt each other at present. */
    private int depth;

    private long moves;

    /** A schedule for an engine that is still to be {@linkplain #make made}. */
    public SeededSchedule(Choices choices) {
        this.choices = choices;
        this.clock = new DrawnClock(choices);
    }

    /** Engines of {@code workers} workers that differ in patience by the choices. The caller is the first worker. */
    SeededSchedule(Choices choices, int workers, Policy policy, Map<ExecutionTarget, Integer> targets) {
        this(choices);
        Engine _ = make(EngineOptions.of(workers).withPolicy(policy).withPlaces(places(targets)));
    }

    /** Places with that many threads for targets, in the memory of the host. */
    static Map<Place, Integer> places(Map<ExecutionTarget, Integer> threads) {
        Map<Place, Integer> places = new LinkedHashMap<>();
        threads.forEach(
                (target, count) -> places.put(Place.threads(target, Place.FIRST_NUMBER + places.size()), count));
        return places;
    }

    /**
     * Makes the engine; the caller is its first worker.
     *
     * @param options but for the patience, which is a matter of choices
     */
    public Engine make(EngineOptions options) {
        EngineOptions chosen = new EngineOptions(
                options.workers(), choices.next(3), options.main(), options.places(), options.policy());
        Engine made = new Engine(chosen, new Trace(clock, 0));
        made.pool().watch = new LetsOthersPlay(made.pool());
        int all = made.workers();
        engine = made;
        goesOn = chosen.patience() != 1;
        parked = new boolean[all];
        running = new boolean[all];
        absent = new Thread[all];
        for (int i = 0; i < all; i++) {
            absent[i] = Thread.ofPlatform().unstarted(() -> {});
        }
        return made;
    }

    /** A thread that waits lets others play instead of sleeping. */
    private final class LetsOthersPlay extends StallWatch {
        LetsOthersPlay(WorkerPool pool) {
            super(pool.timers, pool.crew);
        }

        @Override
        void park() {
            if (!moveOrCheck()) {
                throw new Hang("hang: all workers sleep, and somebody waits");
            }
        }

        @Override
        void nap(long nanos) {
            park();
        }
    }

    private boolean moveOrCheck() {
        between.run();
        if (++moves > MOST_STEPS) {
            throw new Hang("no end after " + MOST_STEPS + " steps");
        }
        return move();
    }

    SeededSchedule(long seed, int workers) {
        this(seed, workers, new Stealing());
    }

    SeededSchedule(long seed, int workers, Policy policy) {
        this(seed, workers, policy, Map.of());
    }

    SeededSchedule(long seed, int workers, Policy policy, Map<ExecutionTarget, Integer> targets) {
        this(Choices.drawn(seed), workers, policy, targets);
    }

    /** Time passes when somebody looks, by as much as the choices say. */
    public Clock clock() {
        return clock;
    }

    /**
     * Keeps threads from their processors now and then, for up to four milliseconds: then old nodes have their turn.
     */
    public void runLate() {
        clock.runLate();
    }

    /** Reads the clock {@code times} times, so that about as many microseconds pass. */
    void passTime(int times) {
        for (int i = 0; i < times; i++) {
            long _ = clock.nanoTime();
        }
    }

    /** The engine, which has no threads. */
    Engine engine() {
        return Objects.requireNonNull(engine, "no engine was made");
    }

    /** The index of the worker that takes the present step; -1 for somebody else. */
    public int player() {
        return player;
    }

    /** Somebody outside does this at some time, once. */
    public void later(Runnable what) {
        outside.add(what);
    }

    /** What happens between any two steps, and must not change anything: a check. */
    public void between(Runnable check) {
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
    public void playAll(List<List<Action>> actions, BooleanSupplier over) {
        chains.addAll(actions);
        actions.forEach(chain -> next.add(0));
        moves = 0;
        while (!(over.getAsBoolean() && isAllSubmitted())) {
            if (!moveOrCheck() && !over.getAsBoolean()) {
                throw new Hang("hang: all workers sleep after " + moves + " steps");
            }
        }
    }

    /** Called by a body, which thereby may be interrupted by other workers' steps and by submissions. */
    public void pause() {
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
        Engine its = engine();
        List<Worker> awake = awake();
        List<Integer> submitters = submitters();
        boolean timed = its.pool().timers.pending() > 0;
        int all = awake.size() + submitters.size() + outside.size() + (timed ? 1 : 0);
        if (all == 0) {
            return false;
        }
        int choice = choices.next(all);
        depth++;
        try {
            if (choice < awake.size()) {
                step(awake.get(choice));
            } else if (timed && choice == all - 1) {
                passTime();
            } else if (choice >= awake.size() + submitters.size()) {
                as(NOBODY, outside.remove(choice - awake.size() - submitters.size()));
            } else {
                submit(submitters.get(choice - awake.size()));
            }
        } finally {
            depth--;
        }
        return true;
    }

    private void submit(int chain) {
        Action action = chains.get(chain).get(next.get(chain));
        next.set(chain, next.get(chain) + 1);
        busy = true;
        if (action.byOpener) {
            perform(action.what);
        } else {
            as(NOBODY, action.what);
        }
        busy = false;
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
        for (int i = 0; i < chains.size() && !busy; i++) {
            if (next.get(i) < chains.get(i).size()) {
                Action action = chains.get(i).get(next.get(i));
                if (!(action.byOpener && running[0]) && !(action.waits && depth > 0)) {
                    free.add(i);
                }
            }
        }
        return free;
    }

    /** The opener does something; it takes no steps meanwhile but in waits. */
    public void perform(Runnable what) {
        Worker first = engine().pool().crew.all()[0];
        if (first.isSleeping()) {
            first.wake();
        }
        first.leave();
        running[0] = true;
        as(0, what);
        running[0] = false;
    }

    /** Does something as worker {@code index}, or as nobody known to the engine. */
    void as(int index, Runnable what) {
        Worker[] workers = engine().pool().crew.all();
        Thread[] before = new Thread[workers.length];
        for (int i = 0; i < workers.length; i++) {
            Thread known = workers[i].thread();
            before[i] = known == null ? absent[i] : known;
            workers[i].bind(i == index ? Thread.currentThread() : absent[i]);
        }
        int interrupted = player;
        boolean interrupt = Thread.interrupted(); // of the thread that this step interrupts
        player = index;
        try {
            what.run();
        } finally {
            player = interrupted;
            Worker.forgetInterrupt(Thread.currentThread());
            if (interrupt) {
                Thread.currentThread().interrupt();
            }
            for (int i = 0; i < workers.length; i++) {
                workers[i].bind(before[i]);
            }
        }
    }

    /** Runs the timers that are due, and lets time pass to the next. The thread of timers is no worker. */
    private void passTime() {
        as(NOBODY, () -> {
            Timers timers = engine().pool().timers;
            long left = timers.runDue();
            if (left != Long.MAX_VALUE) {
                clock.pass(left);
                timers.runDue();
            }
        });
    }

    /** Returns true if a step of a worker goes on with what follows at once. */
    boolean goesOn() {
        return goesOn;
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
        as(worker.index(), () -> step[0] = worker.step(goesOn));
        running[worker.index()] = false;
        parked[worker.index()] = step[0] == Step.SLEEP;
        return step[0];
    }

    /** The workers that would take a step. */
    List<Worker> awake() {
        List<Worker> awake = new ArrayList<>();
        for (Worker worker : engine().pool().crew.all()) {
            if (!running[worker.index()] && (!parked[worker.index()] || !worker.isSleeping())) {
                awake.add(worker);
            }
        }
        return awake;
    }
}
