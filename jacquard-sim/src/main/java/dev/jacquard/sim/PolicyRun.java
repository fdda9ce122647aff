package dev.jacquard.sim;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.PolicyGuard;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * One run of a graph under a policy that decides task by task.
 *
 * <pre>
 *  ready --> every worker of the host can run it, and no device: pool ------> worker
 *        --> else: placement, of the places where it can run --> its queue --> worker or device
 * </pre>
 *
 * <p>All tasks are submitted at time 0. Of one moment all ends come first, by the numbers of their places; then the
 * idle workers ask, by theirs, until none of them gets a task. Data follows a task that is placed at once, and a task
 * of the pool when a worker takes it.
 *
 * <p>Threads: confined to one.
 */
final class PolicyRun {
    private final WorkGraph graph;
    private final Timeline time;
    private final int hosts;
    private final Places places;
    private final Knowledge knowledge;
    private final SimTask[] tasks;
    /** By task: the earlier tasks that have not ended. */
    private final int[] pending;
    /** By task: the later tasks of the edges that the policy has added. */
    private final Map<Integer, List<Integer>> added;

    private final PolicyGuard<SimTask> guard;
    private final HostPool pool;
    private final SentTasks sent;
    private final BitSet idle = new BitSet();
    /** True if the host is a place of tasks that devices can run. */
    private final boolean weighsHost;
    /** True if one body of the host runs at a time. */
    private final boolean oneAtATime;
    /** The workers that have a task and wait for their turn. */
    private final Deque<Integer> turns = new ArrayDeque<>();
    /** By worker: the task that waits for its turn. */
    private final int[] held;
    /** The bodies that run on workers of the host. */
    private int bodies;
    /** The tasks of the host that have ended, and their time. */
    private int ended;

    private double endedNanos;

    PolicyRun(Timeline time, PolicyGuard<SimTask> guard, Simulation.Options options) {
        this.guard = guard;
        this.graph = time.graph;
        this.time = time;
        this.hosts = options.hosts();
        this.places = new Places(graph, hosts);
        this.knowledge =
                new Knowledge(graph, hosts, options.nanosPerUnit(), options.learned(), guard.needs(Need.TIMES));
        this.pending = new int[graph.tasks()];
        this.tasks = new SimTask[graph.tasks()];
        int[] depths = new int[graph.tasks()];
        for (int task = 0; task < tasks.length; task++) {
            pending[task] = graph.in(task).length;
            for (int edge : graph.in(task)) {
                depths[task] = Math.max(depths[task], depths[graph.from(edge)] + 1);
            }
            int consumers = graph.out(task).length;
            tasks[task] = new SimTask(task, graph.name(task), options.priority(task), depths[task], consumers);
        }
        List<PolicyGuard<SimTask>.Order> orders = guard.orders(hosts);
        this.pool = orders.isEmpty()
                ? new DequePool(hosts, options.seed())
                : new OrderPool(guard, orders, time, knowledge, places.workers());
        this.sent = new SentTasks(graph.places());
        this.weighsHost = guard.needs(Need.HOST_FOR_KERNELS);
        this.oneAtATime = guard.needs(Need.ONE_AT_A_TIME);
        this.held = new int[hosts];
        this.added = guard.needs(Need.SUBMISSIONS) ? Submissions.of(tasks, guard, pending) : Map.of();
        idle.set(0, graph.places());
    }

    /** Runs all tasks. */
    void run() {
        for (int task = 0; task < tasks.length; task++) {
            if (pending[task] == 0) {
                ready(task, Timeline.NONE);
            }
        }
        pool.submitted();
        ask();
        while (time.advance()) {
            for (int place = time.nextEnd(); place != Timeline.NONE; place = time.nextEnd()) {
                end(place);
            }
            ask();
        }
        if (!time.isOver()) {
            throw guard.keepsBack(pool.size());
        }
    }

    private void end(int place) {
        int task = time.running[place];
        time.running[place] = Timeline.NONE;
        int worker = place < hosts ? place : Timeline.NONE;
        for (int edge : graph.out(task)) {
            countDown(graph.to(edge), worker);
        }
        if (!added.isEmpty()) {
            for (int later : added.getOrDefault(task, List.of())) {
                countDown(later, worker);
            }
        }
        double nanos = knowledge.nanos(time.ends[task] - time.starts[task]);
        if (worker == Timeline.NONE) {
            knowledge.ran(tasks[task], places.place(place), nanos);
            idle.set(place);
            return;
        }
        pool.ended(tasks[task], worker, nanos);
        ended++;
        endedNanos += nanos;
        bodies--;
        idle.set(worker);
        if (!turns.isEmpty()) {
            int turn = turns.remove();
            begin(held[turn], turn);
        }
    }

    private void countDown(int task, int worker) {
        if (--pending[task] == 0) {
            ready(task, worker);
        }
    }

    /** @param worker the worker of the host that made the task ready; NONE for none */
    private void ready(int task, int worker) {
        time.readyAt[task] = time.now();
        SimTask its = tasks[task];
        Place place = places.isForHost(graph, task) ? Place.HOST : choose(its);
        if (place == Place.HOST) {
            if (worker == Timeline.NONE) {
                pool.sent(its);
            } else {
                pool.madeReady(its, worker);
            }
            return;
        }
        int index = places.index(place);
        its.expect((long) Math.max(0, knowledge.nanos(its, place)));
        time.fetch(task, index);
        sent.add(its, index);
    }

    /** Returns the place of a task that not every worker of the host runs, or that a device runs too. */
    private Place choose(SimTask task) {
        List<Place> candidates = places.candidates(graph, task.number, weighsHost);
        if (candidates.size() == 1) {
            return candidates.getFirst();
        }
        double shared = ended == 0 ? 0 : pool.size() * endedNanos / ended / hosts;
        return guard.place(task, new OfferedPlaces(time, places, sent, knowledge, candidates, shared));
    }

    private void ask() {
        boolean found = true;
        while (found && hasWork()) {
            found = false;
            int shared = pool.shared();
            for (int place = idle.nextSetBit(0); place >= 0 && hasWork(); place = idle.nextSetBit(place + 1)) {
                found |= place < hosts ? askWorker(place) : askDevice(place);
            }
            found |= pool.shared() != shared;
        }
    }

    private boolean hasWork() {
        return pool.size() > 0 || !sent.isEmpty();
    }

    private boolean askDevice(int place) {
        SimTask task = sent.poll(place);
        if (task == null) {
            return false;
        }
        idle.clear(place);
        time.begin(task.number, place);
        return true;
    }

    private boolean askWorker(int worker) {
        SimTask task = sent.poll(worker);
        if (task != null) {
            pool.shareNext(worker);
        } else {
            task = pool.take(worker, (long) knowledge.nanos(time.now()));
            if (task == null) {
                return false;
            }
            time.fetch(task.number, worker);
        }
        idle.clear(worker);
        if (oneAtATime && bodies > 0) {
            held[worker] = task.number;
            turns.add(worker);
        } else {
            begin(task.number, worker);
        }
        return true;
    }

    private void begin(int task, int worker) {
        bodies++;
        time.begin(task, worker);
    }
}
