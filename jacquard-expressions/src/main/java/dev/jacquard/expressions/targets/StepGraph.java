package dev.jacquard.expressions.targets;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.expressions.targets.TargetPolicy.Step;
import dev.jacquard.expressions.targets.TargetPolicy.Value;
import dev.jacquard.expressions.targets.TargetPolicy.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A step as a graph for policies that place whole graphs.
 *
 * <pre>
 *  work                 task, with infinite cost at targets that it is not eligible for
 *  target               place; the host is place 0
 *  value that is read   edge from the work that writes it, with the value's bytes
 *  value on the host    edge from a first task, which takes no time, on the host
 *  copies               links: the time of an empty copy, and the time per byte of the largest value
 * </pre>
 *
 * <p>Times are in nanoseconds. Immutable.
 */
final class StepGraph {
    private final List<ExecutionTarget> places;
    /** 1 if the graph begins with a task for the values on the host, else 0. */
    private final int first;

    private final WorkGraph graph;

    StepGraph(Step step) {
        this.places = Stream.concat(Stream.of(ExecutionTarget.HOST), step.targets().stream())
                .distinct()
                .toList();
        WorkGraph.Builder built =
                new WorkGraph.Builder(places.stream().map(ExecutionTarget::name).toList());
        link(step, built);
        int[] writers = new int[step.values().size()];
        this.first = readsFromHost(step) ? 1 : 0;
        if (first > 0) {
            double[] costs = new double[places.size()];
            Arrays.fill(costs, 1, costs.length, Double.POSITIVE_INFINITY);
            built.task("values on the host", costs);
        }
        for (Work work : step.works()) {
            int task = built.task(
                    work.name(),
                    places.stream()
                            .mapToDouble(place ->
                                    work.eligible().contains(place) ? work.nanosOn(place) : Double.POSITIVE_INFINITY)
                            .toArray());
            for (int value : work.reads()) {
                built.edge(
                        writers[value], task, (double) step.values().get(value).bytes());
            }
            work.writes().forEach(value -> writers[value] = task);
        }
        this.graph = built.build();
    }

    private static boolean readsFromHost(Step step) {
        boolean[] written = new boolean[step.values().size()];
        for (Work work : step.works()) {
            if (work.reads().stream().anyMatch(value -> !written[value])) {
                return true;
            }
            work.writes().forEach(value -> written[value] = true);
        }
        return false;
    }

    private void link(Step step, WorkGraph.Builder built) {
        long most = step.values().stream().mapToLong(Value::bytes).max().orElse(0);
        for (int from = 0; from < places.size(); from++) {
            for (int to = 0; to < places.size(); to++) {
                if (from != to) {
                    double empty = step.copies().nanos(places.get(from), places.get(to), 0);
                    double full = step.copies().nanos(places.get(from), places.get(to), most);
                    built.link(from, to, empty, most == 0 ? 0 : Math.max(0, full - empty) / most);
                }
            }
        }
    }

    WorkGraph graph() {
        return graph;
    }

    /** Returns the targets of the works in a plan. */
    List<ExecutionTarget> targets(Plan plan) {
        List<ExecutionTarget> targets = new ArrayList<>();
        for (int task = first; task < graph.tasks(); task++) {
            targets.add(places.get(plan.places()[task]));
        }
        return targets;
    }

    /** Returns the task of a work. */
    int task(int work) {
        return first + work;
    }
}
