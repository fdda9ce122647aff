package dev.jacquard.expressions.tree;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.tree.BoundStep.Unit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Steps in which each unit is measured on one of its targets after the other. Such a step computes all that others do:
 * unit by unit, each with its inputs in place before the clock starts, and brings the same home. A unit runs twice on
 * each target, and the shorter time counts: the first includes work that is done once, such as compiling a kernel.
 *
 * <p>That is done again later, and ever more seldom: the JVM compiles a loop on the host when it has run for a while,
 * which it never does if the times of its first runs decide. Its cost stays below a quarter of the time of the steps in
 * between.
 *
 * <p>Confined to the thread that runs the steps.
 *
 * <p>Source: the expressions thesis, sections 3.1.13 and 3.1.14.
 */
final class Trials {
    private static final int TIMES = 2;
    /** The steps after the first measurement before the second one; each later one comes after twice as many. */
    private static final long FIRST_STEPS = 4;
    /** The least time of the steps between two measurements, to that of the first one. */
    private static final int SHARE = 4;

    /** The time of steps that is worth having loops on the host in lanes, wherever they were computed. */
    private static final long PROMOTED_NANOS = TimeUnit.SECONDS.toNanos(1) / 2;

    private final FieldStore fields;
    /** The time of all steps in which nothing was measured. */
    private long allNanos;
    /** The steps since the last measurement, and their time; the time of that measurement. */
    private long steps;

    private long stepNanos;
    private long ownNanos;
    /** The steps after which the next measurement begins. */
    private long between = FIRST_STEPS;

    private final Map<String, Map<ExecutionTarget, Double>> nanos = new HashMap<>();
    private final Map<String, Map<ExecutionTarget, Integer>> counts = new HashMap<>();
    /** The targets of the units in the newest step. */
    private final Map<String, ExecutionTarget> newest = new HashMap<>();

    Trials(FieldStore fields) {
        this.fields = fields;
    }

    /** Returns the times so far, in nanoseconds, by the names of units. */
    Map<String, Map<ExecutionTarget, Double>> nanos() {
        return nanos;
    }

    private int count(Unit unit, ExecutionTarget target) {
        return counts.getOrDefault(unit.name(), Map.of()).getOrDefault(target, 0);
    }

    /** Returns true if all units were measured on all of their targets. */
    boolean areOver(BoundStep step, Map<String, List<ExecutionTarget>> eligible) {
        return step.units().stream()
                .filter(unit -> unit.leader() < 0)
                .allMatch(unit -> targets(unit, eligible).stream().allMatch(target -> count(unit, target) >= TIMES));
    }

    /**
     * Runs a step in which nothing is measured but its whole time. After the first ones loops on the host are in lanes,
     * as they are on grids where they did all the work, so that later measurements have these.
     */
    void between(CompiledGraph graph) {
        Clock clock = fields.session().clock();
        long begin = clock.nanoTime();
        graph.run();
        long nanos = clock.nanoTime() - begin;
        steps++;
        stepNanos += nanos;
        if (allNanos < PROMOTED_NANOS && allNanos + nanos >= PROMOTED_NANOS) {
            fields.loops().promote();
        }
        allNanos += nanos;
    }

    /** Returns true if it is time to measure again, and begins to. */
    boolean beginAgain(Map<String, List<ExecutionTarget>> eligible) {
        boolean isDue = steps >= between
                && stepNanos >= SHARE * ownNanos
                && eligible.values().stream().anyMatch(targets -> targets.size() > 1);
        if (isDue) {
            counts.clear();
            between *= 2;
            steps = 0;
            stepNanos = 0;
            ownNanos = 0;
        }
        return isDue;
    }

    /** Returns the target of a unit in the newest step, which is over or has failed. */
    ExecutionTarget last(Unit unit, Map<String, List<ExecutionTarget>> eligible) {
        ExecutionTarget target = newest.get(unit.name());
        return target == null ? next(unit, eligible) : target;
    }

    /** Returns the target on which a unit ran the fewest times. */
    private ExecutionTarget next(Unit unit, Map<String, List<ExecutionTarget>> eligible) {
        return targets(unit, eligible).stream()
                .min(Comparator.comparingInt(one -> count(unit, one)))
                .orElseThrow();
    }

    private static List<ExecutionTarget> targets(Unit unit, Map<String, List<ExecutionTarget>> eligible) {
        return Objects.requireNonNull(eligible.get(unit.name()));
    }

    /**
     * Runs a step, each unit on the target on which it ran the fewest times. It is one run, so that no other one comes
     * between its units, which may write the memory that temporaries share.
     *
     * @throws TaskFailedException for the task of the unit that failed; none is measured then
     */
    void run(BoundStep step, Map<String, List<ExecutionTarget>> eligible) {
        Session session = fields.session();
        Clock clock = session.clock();
        List<Unit> units = step.units();
        long[] begins = new long[units.size()];
        long[] ends = new long[units.size()];
        newest.clear();
        CompiledGraphBuilder all = session.compile("step");
        for (int i = 0; i < units.size(); i++) {
            int number = i;
            Unit unit = units.get(i);
            ExecutionTarget target = last(step.leader(unit), eligible);
            newest.put(unit.name(), target);
            behind(all, all.graph(unit.name(), session.record(graph -> step.prefetch(graph, unit, target))));
            behind(all, all.task("clock", context -> begins[number] = clock.nanoTime()));
            behind(all, all.graph(unit.name(), session.record(graph -> step.submit(graph, unit, target))));
            behind(all, all.task("clock", context -> ends[number] = clock.nanoTime()));
        }
        behind(all, all.graph("home", session.record(step::bringHome)));
        long begin = clock.nanoTime();
        try {
            all.build().run();
        } catch (TaskFailedException e) {
            throw e.getCause() instanceof TaskFailedException its ? its : e; // of the graph inside
        }
        ownNanos += clock.nanoTime() - begin;
        for (int i = 0; i < units.size(); i++) {
            Unit unit = units.get(i);
            if (unit.leader() < 0) {
                ExecutionTarget target = Objects.requireNonNull(newest.get(unit.name()));
                double took = Math.max(1, ends[i] - begins[i]);
                Map<ExecutionTarget, Double> its = nanos.computeIfAbsent(unit.name(), any -> new HashMap<>());
                its.put(target, count(unit, target) == 0 ? took : Math.min(took, its.getOrDefault(target, took)));
                counts.computeIfAbsent(unit.name(), any -> new HashMap<>()).merge(target, 1, Integer::sum);
            }
        }
    }

    /** Makes a task follow the one before. */
    private static void behind(CompiledGraphBuilder graph, int task) {
        if (task > 0) {
            graph.edge(task - 1, task, true);
        }
    }
}
