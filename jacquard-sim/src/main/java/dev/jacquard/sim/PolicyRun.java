package dev.jacquard.sim;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.PolicyGuard;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * One run of a graph under a policy that decides task by task.
 *
 * <pre>
 *  submitted --> Kernels: host or a device
 *  ready     --> host ------------------------------------------> pool --> worker, which brings the data
 *            --> device --> its data is there -----------------> queue --> device
 *            --> some workers alone can run it --> placement --> queue --> worker
 * </pre>
 *
 * <p>All tasks are submitted at time 0. Of one moment all ends come first, by the numbers of their places, then copies;
 * then the idle workers ask, by theirs, until none of them gets a task. Data leaves for a device when the task that
 * writes it is over, and for a worker when that takes the task. If it comes from a device, the worker goes on without
 * the task, which is ready again when the data is there.
 *
 * <p>Threads: confined to one.
 */
final class PolicyRun {
    private static final int[] NO_EDGES = {};

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
    private final Kernels kernels;
    private final BitSet idle = new BitSet();
    /** The workers of the host that have ended a task since they were last asked. */
    private final BitSet fresh = new BitSet();
    /** True if the host is a place of tasks that devices can run. */
    private final boolean weighsHost;
    /** True if one body of the host runs at a time. */
    private final boolean oneAtATime;
    /** The workers that have a task and wait for their turn. */
    private final Deque<Integer> turns = new ArrayDeque<>();
    /** By task that waits for its data: the device, or the host. */
    private final int[] goal;
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
                ? new DequePool(hosts)
                : new OrderPool(guard, orders, time, knowledge, places.workers());
        this.sent = new SentTasks(graph.places());
        this.weighsHost = guard.needs(Need.HOST_FOR_KERNELS);
        this.oneAtATime = guard.needs(Need.ONE_AT_A_TIME);
        this.held = new int[hosts];
        this.goal = new int[tasks.length];
        this.added = guard.needs(Need.SUBMISSIONS) ? Submissions.of(tasks, guard, pending) : Map.of();
        this.kernels = new Kernels(time, places, knowledge, guard);
        idle.set(0, graph.places());
    }

    /** Runs all tasks. */
    void run() {
        for (SimTask task : tasks) {
            kernels.submit(task, weighsHost);
        }
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
            for (int task = time.nextArrival(); task != Timeline.NONE; task = time.nextArrival()) {
                arrived(task);
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
        kernels.over(task);
        for (int edge : hosts < graph.places() ? graph.out(task) : NO_EDGES) {
            int to = kernels.where(graph.to(edge));
            if (to >= 0) {
                time.send(edge, to);
            }
        }
        int[] later = successors(task);
        for (int i = later.length - 1; i >= 0; i--) {
            countDown(graph.to(later[i]), worker);
        }
        if (!added.isEmpty()) {
            for (int other : added.getOrDefault(task, List.of())) {
                countDown(other, worker);
            }
        }
        double nanos = knowledge.nanos(time.ends[task] - time.starts[task]);
        if (worker == Timeline.NONE) {
            knowledge.ran(tasks[task], places.place(place), nanos);
            idle.set(place);
            return;
        }
        knowledge.ran(tasks[task], Place.HOST, nanos);
        pool.leave(tasks[task], worker);
        ended++;
        endedNanos += nanos;
        bodies--;
        idle.set(worker);
        fresh.set(worker);
        if (!turns.isEmpty()) {
            int turn = turns.remove();
            begin(held[turn], turn);
        }
    }

    /**
     * Returns the edges that begin at a task in the order of submission of their ends: the engine takes the last first.
     */
    private int[] successors(int task) {
        int[] all = graph.out(task);
        for (int i = 1; i < all.length; i++) {
            if (graph.to(all[i - 1]) > graph.to(all[i])) {
                return IntStream.of(all)
                        .boxed()
                        .sorted(Comparator.comparingInt(graph::to))
                        .mapToInt(Integer::intValue)
                        .toArray();
            }
        }
        return all;
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
        int where = kernels.where(task);
        if (where == Kernels.LATER) {
            send(its, places.index(choose(its)));
        } else if (where != Kernels.HOST) {
            boolean moves = kernels.moves(its); // the thread of the device takes it at once
            goTo(its, moves ? kernels.where(task) : where);
        } else if (worker == Timeline.NONE) {
            pool.sent(its);
        } else {
            pool.madeReady(its, worker);
        }
    }

    private void goTo(SimTask task, int where) {
        if (where == Kernels.HOST) {
            pool.sent(task);
        } else {
            send(task, where);
        }
    }

    /** Sends a task with its data to a device, or to one worker. */
    private void send(SimTask task, int place) {
        task.expect((long) Math.max(0, knowledge.nanos(task, places.place(place))));
        time.fetch(task.number, place);
        if (place >= hosts && time.dataAt[task.number] > time.now()) {
            goal[task.number] = place;
            time.expectData(task.number);
        } else {
            sent.add(task, place);
        }
    }

    /** The data of a task that waits for it without a place has arrived. */
    private void arrived(int task) {
        if (goal[task] == Kernels.HOST) {
            pool.sent(tasks[task]);
        } else {
            sent.add(tasks[task], goal[task]);
        }
    }

    /** Returns the place of a task that not every worker of the host can run. */
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
        fresh.and(idle);
        for (int worker = fresh.nextSetBit(0); worker >= 0; worker = fresh.nextSetBit(worker + 1)) {
            pool.rests(worker, (long) knowledge.nanos(time.now()));
        }
        fresh.clear();
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
        boolean found = task != null;
        if (found) {
            pool.shareNext(worker);
        }
        while (task == null) {
            task = pool.take(worker, (long) knowledge.nanos(time.now()));
            if (task == null) {
                return found;
            }
            found = true;
            task = isInPlace(task, worker) ? task : null;
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

    /** Returns true unless a task of the pool goes to a device after all, or its data has to come from one. */
    private boolean isInPlace(SimTask task, int worker) {
        int number = task.number;
        if (kernels.moves(task)) {
            pool.leave(task, worker);
            goTo(task, kernels.where(number));
            return false;
        }
        if (hosts == graph.places()) {
            time.fetchAll(number, worker);
            return true;
        }
        double last = time.now();
        boolean fromDevice = false;
        for (int edge : graph.in(number)) {
            double arrival = time.send(edge, worker);
            fromDevice |= time.places[graph.from(edge)] >= hosts && arrival > time.now();
            last = Math.max(last, arrival);
        }
        time.dataAt[number] = last;
        if (!fromDevice || goal[number] == Kernels.HOST) { // once: the memory of another worker may be another one
            return true;
        }
        pool.leave(task, worker);
        goal[number] = Kernels.HOST;
        time.expectData(number);
        return false;
    }

    private void begin(int task, int worker) {
        bodies++;
        time.begin(task, worker);
    }
}
