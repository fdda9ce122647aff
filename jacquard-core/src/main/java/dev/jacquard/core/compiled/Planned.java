package dev.jacquard.core.compiled;

import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.PolicyGuard;
import dev.jacquard.engine.work.GuardedTask;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a policy that places whole graphs: of the ready tasks the one that starts first in its plan. The
 * places of the plan are the workers. They share their memory, so any of them runs the task: a worker is not idle while
 * another has more to do than the plan expects.
 *
 * <p>The first plan counts every task as equally long, but for tasks with a weight. Another one is made when a run
 * begins and all times are measured: the first time of a task counts only until there is a second one.
 *
 * <p>Threads: one call at a time.
 */
final class Planned implements Scheduler.Dynamic {
    /** The run that begins with a plan by measured times. */
    private static final int MEASURED_RUN = 4;

    private final PolicyGuard<GuardedTask> guard;
    private final GraphSnapshot graph;
    /** The places of the plan. */
    private final int workers;
    /** The expected times of the tasks, by number; 0 where none is known. */
    private final long[] nanos;
    /** The positions of the tasks in the order of their starts. Changes only while no task is ready. */
    private int[] turns;

    private final PriorityQueue<ReadyTask> ready;
    /** The runs so far, at most {@link #MEASURED_RUN}. */
    private int runs;

    Planned(PolicyGuard<GuardedTask> guard, GraphSnapshot graph, int workers) {
        this.guard = guard;
        this.graph = graph;
        this.workers = Math.clamp(workers, 1, Math.max(1, graph.tasks().size()));
        this.nanos = graph.tasks().stream()
                .mapToLong(task -> Math.max(0, task.weightNanos()))
                .toArray();
        this.turns = plan();
        this.ready =
                new PriorityQueue<>(Math.max(1, nanos.length), Comparator.comparingInt(task -> turns[(int) task.id()]));
    }

    private int[] plan() {
        WorkGraph.Builder built = new WorkGraph.Builder(
                IntStream.range(0, workers).mapToObj(i -> "worker " + i).toList());
        double usual = Arrays.stream(nanos).filter(known -> known > 0).average().orElse(1);
        for (int i = 0; i < nanos.length; i++) {
            double[] costs = new double[workers];
            Arrays.fill(costs, nanos[i] > 0 ? (double) nanos[i] : usual);
            built.task(graph.tasks().get(i).name(), costs);
        }
        graph.edges().forEach(edge -> built.edge((int) edge.earlier(), (int) edge.later(), 0));
        Plan plan = guard.plan(built.build(), Limits.DEFAULT);
        List<Integer> order = IntStream.range(0, nanos.length)
                .boxed()
                .sorted(Comparator.comparingDouble(task -> plan.starts()[task]))
                .toList();
        int[] all = new int[nanos.length];
        for (int turn = 0; turn < all.length; turn++) {
            all[order.get(turn)] = turn;
        }
        return all;
    }

    @Override
    public void begin() {
        if (runs < MEASURED_RUN && ++runs == MEASURED_RUN) {
            turns = plan();
        }
    }

    @Override
    public void push(ReadyTask task) {
        if (runs < MEASURED_RUN && task.expectedNanos() > 0) {
            nanos[(int) task.id()] = task.expectedNanos();
        }
        ready.add(task);
    }

    @Override
    public @Nullable ReadyTask pop(int worker) {
        return ready.poll();
    }

    @Override
    public boolean needsTimes() {
        return true;
    }
}
