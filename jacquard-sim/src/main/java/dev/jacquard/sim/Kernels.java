package dev.jacquard.sim;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.PolicyGuard;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The tasks that devices run, and where each goes. As in the engine, the place is chosen at the submission, by the work
 * that was sent to each place and the expected ends of the tasks that write the data. Where the host is weighed against
 * devices, the choice is made again, once, when the task is ready, if its start and its time differ from the expected
 * ones by more than its time.
 *
 * <p>The workers of the host count as one place that runs several tasks at a time.
 *
 * <p>Threads: confined to one run.
 */
final class Kernels {
    /** Any worker of the host. */
    static final int HOST = -2;
    /** A worker of its own, which is chosen when the task is ready: not all workers can run it. */
    static final int LATER = -3;

    private final Timeline time;
    private final WorkGraph graph;
    private final Places places;
    private final Knowledge knowledge;
    private final PolicyGuard<SimTask> guard;
    private final boolean hasDevices;
    /** By task: the number of a device, or where it goes instead. */
    private final int[] where;
    /** The tasks that count as work of their place: those that a device could run. */
    private final BitSet counted = new BitSet();
    /** The tasks with a choice that may be made again. */
    private final BitSet open = new BitSet();

    private final BitSet over = new BitSet();
    /** By place, the host at 0. */
    private final Queue[] queues;
    /** By task: the time that it is expected to take; negative if that is not known. */
    private final double[] expected;
    /** By task: its expected start, and the time at which it is expected to be over. */
    private final double[] starts;

    private final double[] ends;
    /** By task: the work that its place was ever given, up to the task. */
    private final double[] until;

    /** The work that was sent to a place. */
    private static final class Queue {
        private final int lanes;
        private int tasks;
        private double nanos;
        private double done;

        Queue(int lanes) {
            this.lanes = lanes;
        }

        /** Returns the time until more work could begin: with several tasks at a time, as if all took equally long. */
        double nanos() {
            int turns = tasks / lanes; // before the next task's
            return lanes == 1 || tasks == 0 ? nanos : nanos / tasks * turns;
        }
    }

    Kernels(Timeline time, Places places, Knowledge knowledge, PolicyGuard<SimTask> guard) {
        this.time = time;
        this.graph = time.graph;
        this.places = places;
        this.knowledge = knowledge;
        this.guard = guard;
        this.where = new int[graph.tasks()];
        this.queues = new Queue[graph.places()];
        this.hasDevices = graph.places() > places.hosts();
        int kernels = hasDevices ? graph.tasks() : 0;
        this.expected = new double[kernels];
        this.starts = new double[kernels];
        this.ends = new double[kernels];
        this.until = new double[kernels];
        Arrays.setAll(queues, place -> new Queue(place == 0 ? places.hosts() : 1));
    }

    /** Returns the number of the device of a task that was submitted, {@link #HOST} or {@link #LATER}. */
    int where(int task) {
        return where[task];
    }

    /**
     * Chooses the place of a task, which is submitted.
     *
     * @param weighsHost true if the host is a place of tasks that devices can run
     */
    void submit(SimTask task, boolean weighsHost) {
        int number = task.number;
        if (places.isForHost(graph, number)) {
            where[number] = HOST;
            return;
        }
        List<Place> candidates = places.candidates(graph, number, weighsHost);
        if (!candidates.stream().allMatch(place -> place == Place.HOST || place.isDevice())) {
            where[number] = LATER;
            return;
        }
        Offer offer = new Offer(task, candidates, false);
        Place place = candidates.size() == 1 ? candidates.getFirst() : guard.place(task, offer);
        if (candidates.size() > 1 && candidates.getFirst() == Place.HOST) {
            open.set(number);
            starts[number] = now() + Math.max(offer.queuedNanos(place), offer.dataNanos(task, place));
        }
        counted.set(number);
        add(task, place);
    }

    private void add(SimTask task, Place place) {
        int number = task.number;
        Queue queue = queues[indexOf(place)];
        where[number] = place == Place.HOST ? HOST : places.index(place);
        expected[number] = knowledge.nanos(task, place);
        double nanos = Math.max(0, expected[number]);
        ends[number] = now() + Math.max(queue.nanos(), written(number)) + nanos;
        queue.tasks++;
        queue.nanos += nanos;
        until[number] = queue.done + queue.nanos;
    }

    private void remove(int task) {
        Queue queue = queues[indexOf(task)];
        double nanos = Math.max(0, expected[task]);
        queue.tasks--;
        queue.done += nanos;
        queue.nanos = queue.tasks == 0 ? 0 : queue.nanos - nanos;
    }

    /** Notes that a task is over. */
    void over(int task) {
        if (!hasDevices) {
            return;
        }
        over.set(task);
        open.clear(task);
        if (counted.get(task)) {
            remove(task);
        }
    }

    /** Chooses again between the host and devices for a task that would run now, if that is due; true if it moves. */
    boolean moves(SimTask task) {
        int number = task.number;
        if (!hasDevices || !open.get(number)) {
            return false;
        }
        open.clear(number);
        List<Place> candidates = places.candidates(graph, number, true);
        Place from = where[number] == HOST ? Place.HOST : places.place(where[number]);
        double known = knowledge.nanos(task, from);
        double error = Math.abs(now() - starts[number]) + Math.abs(known - expected[number]);
        if (expected[number] >= 0 && error <= expected[number]) {
            return false;
        }
        Place to = guard.place(task, new Offer(task, candidates, true));
        if (to == from) {
            return false;
        }
        remove(number);
        add(task, to);
        return true;
    }

    private double now() {
        return knowledge.nanos(time.now());
    }

    /** Returns the index of the queue of a place. */
    private int indexOf(Place place) {
        return place == Place.HOST ? 0 : places.index(place);
    }

    /** Returns the index of the queue of a task, which is also a place of its memory. */
    private int indexOf(int task) {
        return Math.max(0, where[task]);
    }

    /** Returns the time until the tasks are over that write the data of a task. */
    private double written(int task) {
        double last = 0;
        for (int edge : graph.in(task)) {
            last = Math.max(last, left(graph.from(edge)));
        }
        return last;
    }

    /** Returns the time until a task is over; at least the time that its place needs for its work up to the task. */
    private double left(int task) {
        if (over.get(task) || !counted.get(task)) {
            return 0;
        }
        return Math.max(Math.max(0, untilEnd(task)), ends[task] - now());
    }

    private double untilEnd(int task) {
        Queue queue = queues[indexOf(task)];
        return (until[task] - queue.done) / queue.lanes;
    }

    /** Returns the time of the copy along an edge to a place. */
    private double copyNanos(int edge, int place) {
        int from = graph.from(edge);
        if (!over.get(from)) {
            return knowledge.nanos(graph.copy(edge, indexOf(from), place));
        }
        return time.isSent(edge, place) ? 0 : knowledge.nanos(graph.copy(edge, time.places[from], place));
    }

    /** The places of one task, as a placement sees them. */
    private final class Offer implements MachineState {
        private final int number;
        private final List<Place> offered;
        /** True if the task has a place, of which it is a part of the work. */
        private final boolean isPlaced;

        Offer(SimTask task, List<Place> offered, boolean isPlaced) {
            this.number = task.number;
            this.offered = offered;
            this.isPlaced = isPlaced;
        }

        private Queue queue(Place place) {
            requireOffered(place);
            return queues[indexOf(place)];
        }

        @Override
        public List<Place> places() {
            return offered;
        }

        @Override
        public int tasks(Place place) {
            Queue its = queue(place);
            return Math.ceilDiv(its.tasks, its.lanes);
        }

        @Override
        public double queuedNanos(Place place) {
            Queue its = queue(place);
            if (!isPlaced || where[number] != (place == Place.HOST ? HOST : places.index(place))) {
                return its.nanos();
            }
            return place == Place.HOST ? 0 : Math.max(0, untilEnd(number) - Math.max(0, expected[number]));
        }

        @Override
        public double runNanos(ReadyTask task, Place place) {
            requireOffered(place);
            return knowledge.nanos(task, place);
        }

        @Override
        public double dataNanos(ReadyTask task, Place place) {
            requireOffered(place);
            double copies = 0;
            for (int edge : graph.in(number)) {
                copies += copyNanos(edge, indexOf(place));
            }
            return written(number) + copies;
        }

        @Override
        public long missingBytes(ReadyTask task, Place place) {
            requireOffered(place);
            double sum = 0;
            for (int edge : graph.in(number)) {
                sum += copyNanos(edge, indexOf(place)) > 0 ? graph.size(edge) : 0;
            }
            return (long) sum;
        }

        @Override
        public long bytes(ReadyTask task) {
            double sum = 0;
            for (int edge : graph.in(number)) {
                sum += graph.size(edge);
            }
            return (long) sum;
        }

        @Override
        public boolean isAway(Place place) {
            requireOffered(place);
            return false;
        }
    }
}
