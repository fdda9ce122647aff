package dev.jacquard.expressions.tree;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Target;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.tree.BoundStep.Unit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Steps in which each unit is measured on one of its targets after the other. Such a step computes all that others do:
 * unit by unit, each with what it reads in place before the clock starts, and brings the same home. A unit runs twice
 * on each target, and its second time counts, since the first has what is done once in it, such as compiling a kernel.
 *
 * <p>Confined to the thread that runs the steps.
 *
 * <p>Source: the expressions thesis, sections 3.1.13 and 3.1.14.
 */
final class Trials {
    private static final int TIMES = 2;

    private final Session session;
    private final Map<String, Map<Target, Double>> nanos = new HashMap<>();
    private final Map<String, Map<Target, Integer>> counts = new HashMap<>();

    Trials(Session session) {
        this.session = session;
    }

    /** Returns the times so far, in nanoseconds, by the names of units. */
    Map<String, Map<Target, Double>> nanos() {
        return nanos;
    }

    private int count(Unit unit, Target target) {
        return counts.getOrDefault(unit.name(), Map.of()).getOrDefault(target, 0);
    }

    /** Returns true if all units were measured on all of their targets. */
    boolean areOver(BoundStep step, Map<String, List<Target>> eligible) {
        return step.units().stream()
                .allMatch(unit -> targets(unit, eligible).stream().allMatch(target -> count(unit, target) >= TIMES));
    }

    /** Returns the target on which a unit ran the fewest times. */
    Target next(Unit unit, Map<String, List<Target>> eligible) {
        return targets(unit, eligible).stream()
                .min(Comparator.comparingInt(one -> count(unit, one)))
                .orElseThrow();
    }

    private static List<Target> targets(Unit unit, Map<String, List<Target>> eligible) {
        return Objects.requireNonNull(eligible.get(unit.name()));
    }

    /** Runs a step, each unit on the target on which it ran the fewest times. */
    void run(BoundStep step, Map<String, List<Target>> eligible) {
        Clock clock = session.clock();
        for (Unit unit : step.units()) {
            Target target = next(unit, eligible);
            session.record(graph -> step.prefetch(graph, unit, target)).run();
            CompiledGraph work = session.record(graph -> step.submit(graph, unit, target));
            long begin = clock.nanoTime();
            work.run();
            double took = Math.max(1, clock.nanoTime() - begin);
            nanos.computeIfAbsent(unit.name(), any -> new HashMap<>()).put(target, took);
            counts.computeIfAbsent(unit.name(), any -> new HashMap<>()).merge(target, 1, Integer::sum);
        }
        session.record(step::bringHome).run();
    }
}
