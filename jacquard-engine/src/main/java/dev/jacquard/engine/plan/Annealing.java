package dev.jacquard.engine.plan;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Searches a plan for places of several kinds, with copies between them.
 *
 * <pre>
 *  begin      the best of heft, cpop, peft and hybrid; then heft with each way to the end longer or shorter by chance
 *  change     one or two tasks go to other places, or to other positions in the sequence
 *  place      each task in the earliest gap of its place, in the order of the sequence
 *  justify    now and then: as late as can be, the last one first; then as early, the first one first
 *  accept     a plan that is longer by less than a threshold, which falls to 0
 * </pre>
 *
 * <p>Source: Dueck and Scheuer, Threshold accepting, Journal of Computational Physics 90 (1990), which needs no
 * function that rounds differently from machine to machine.
 *
 * <p>Threads: confined to one.
 */
final class Annealing {
    /** The plans of changed priorities that are tried first, as a part of the budget. */
    private static final double PRIORITIES = 0.1;
    /** The threshold at the begin, as a part of the length of the plan. */
    private static final double THRESHOLD = 0.1;
    /** The weight of the mean end of a task against the length of the plan. */
    private static final double MEAN_END = 0.02;

    /** The times that the threshold falls. */
    private static final int CYCLES = 3;
    /** The number of plans of which one is justified. */
    private static final int JUSTIFIED = 4;

    private final WorkGraph graph;
    private final SplittableRandom random;
    private final double bound;
    private final int tasks;
    private final Draft forward;
    private final Draft backward;
    private final Sequence sequence;
    private final int[][] before;
    private final int[][] after;
    /** Per task, the places where it can run. */
    private final int[][] eligible;

    private final int[] places;
    private final double[] keys;
    private final int[] oldPlaces;
    private final double[] oldKeys;
    private final double[] turnedEnds;
    private long placed;

    private Plan best;
    private double least;

    Annealing(WorkGraph graph, SplittableRandom random, double bound) {
        this.graph = graph;
        this.random = random;
        this.bound = bound;
        tasks = graph.tasks();
        forward = new Draft(graph);
        backward = new Draft(turned(graph));
        sequence = new Sequence(tasks);
        before = new int[tasks][];
        after = new int[tasks][];
        eligible = new int[tasks][];
        for (int task = 0; task < tasks; task++) {
            before[task] =
                    Arrays.stream(graph.in(task)).map(graph::from).distinct().toArray();
            after[task] =
                    Arrays.stream(graph.out(task)).map(graph::to).distinct().toArray();
            eligible[task] = places(task);
        }
        places = new int[tasks];
        keys = new double[tasks];
        oldPlaces = new int[tasks];
        oldKeys = new double[tasks];
        turnedEnds = new double[tasks];
        Draft first = Heft.draft(graph);
        for (Draft other : List.of(Cpop.draft(graph), Peft.draft(graph), Hybrid.draft(graph))) {
            first = other.makespan() < first.makespan() ? other : first;
        }
        placed = 4L * tasks;
        best = first.plan(bound);
        least = best.makespan();
    }

    private int[] places(int task) {
        int[] some = new int[graph.places()];
        int count = 0;
        for (int place = 0; place < some.length; place++) {
            if (graph.canRun(task, place)) {
                some[count++] = place;
            }
        }
        return Arrays.copyOf(some, count);
    }

    /** Returns the graph with its edges and links turned round; task {@code i} is the last but {@code i}. */
    private static WorkGraph turned(WorkGraph graph) {
        List<String> names =
                IntStream.range(0, graph.places()).mapToObj(graph::place).toList();
        WorkGraph.Builder builder = new WorkGraph.Builder(names);
        for (int from = 0; from < names.size(); from++) {
            for (int to = 0; to < names.size(); to++) {
                builder.link(to, from, graph.startup(from, to), graph.perUnit(from, to));
            }
        }
        for (int task = graph.tasks() - 1; task >= 0; task--) {
            double[] costs = new double[names.size()];
            for (int place = 0; place < costs.length; place++) {
                costs[place] = graph.cost(task, place);
            }
            builder.task(graph.name(task), costs);
        }
        for (int edge = 0; edge < graph.edges(); edge++) {
            builder.edge(graph.tasks() - 1 - graph.to(edge), graph.tasks() - 1 - graph.from(edge), graph.size(edge));
        }
        return builder.build();
    }

    /** Returns the number of tasks that were placed. */
    long placed() {
        return placed;
    }

    Plan search(long budget) {
        priorities((long) (budget * PRIORITIES));
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            anneal(budget, placed + (budget - placed) / (CYCLES - cycle));
        }
        return best;
    }

    private boolean isOver(long budget) {
        return placed >= budget || least <= bound * (1 + Plan.ROUNDING);
    }

    private void priorities(long budget) {
        Ranks ranks = new Ranks(graph);
        while (!isOver(budget)) {
            double width = 0.05 * (1 << random.nextInt(5));
            for (int task = 0; task < tasks; task++) {
                keys[task] = -ranks.up[task] * (1 + width * (random.nextDouble() - 0.5));
            }
            sequence.fill(keys, before, after);
            forward.clear();
            for (int task : sequence.order) {
                forward.putFirst(task);
            }
            placed += tasks;
            System.arraycopy(forward.places, 0, places, 0, tasks);
            justify();
            keep();
        }
    }

    /** Changes the best plan with a threshold that falls until {@code end} tasks are placed. */
    private void anneal(long budget, long end) {
        System.arraycopy(best.places(), 0, places, 0, tasks);
        System.arraycopy(best.starts(), 0, keys, 0, tasks);
        double energy = place();
        long begin = placed;
        while (!isOver(Math.min(budget, end))) {
            double threshold = THRESHOLD * least * (end - placed) / Math.max(1, end - begin);
            System.arraycopy(places, 0, oldPlaces, 0, tasks);
            System.arraycopy(keys, 0, oldKeys, 0, tasks);
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                change(random.nextInt(tasks));
            }
            double itsEnergy = place();
            if (itsEnergy <= energy + threshold) {
                energy = itsEnergy;
                System.arraycopy(forward.starts, 0, keys, 0, tasks);
            } else {
                System.arraycopy(oldPlaces, 0, places, 0, tasks);
                System.arraycopy(oldKeys, 0, keys, 0, tasks);
            }
        }
    }

    private void change(int task) {
        int[] its = eligible[task];
        if (its.length > 1 && random.nextInt(2) == 0) {
            int other = its[random.nextInt(its.length - 1)];
            places[task] = other == places[task] ? its[its.length - 1] : other;
        } else {
            keys[task] += least * (random.nextDouble() - 0.5);
        }
    }

    /** Places all tasks; returns the energy of the plan. */
    private double place() {
        sequence.fill(keys, before, after);
        forward();
        if (random.nextInt(JUSTIFIED) == 0) {
            justify();
        }
        keep();
        double sum = 0;
        for (double end : forward.ends) {
            sum += end;
        }
        return forward.makespan() + MEAN_END * sum / tasks;
    }

    private void forward() {
        forward.clear();
        for (int task : sequence.order) {
            forward.put(task, places[task]);
        }
        placed += tasks;
    }

    private void justify() {
        double length = forward.makespan();
        while (true) {
            sequence.reverse(forward.ends);
            backward.clear();
            for (int task : sequence.order) {
                backward.put(tasks - 1 - task, places[task]);
            }
            placed += tasks;
            for (int task = 0; task < tasks; task++) {
                turnedEnds[task] = backward.ends[tasks - 1 - task];
            }
            sequence.reverse(turnedEnds);
            forward();
            double now = forward.makespan();
            if (now >= length) {
                return;
            }
            length = now;
        }
    }

    private void keep() {
        double length = forward.makespan();
        if (length < least) {
            least = length;
            best = forward.plan(bound);
        }
    }
}
