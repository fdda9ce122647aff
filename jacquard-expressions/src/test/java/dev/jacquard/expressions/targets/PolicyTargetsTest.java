package dev.jacquard.expressions.targets;

import static dev.jacquard.expressions.targets.TargetPolicyTest.A;
import static dev.jacquard.expressions.targets.TargetPolicyTest.B;
import static dev.jacquard.expressions.targets.TargetPolicyTest.HOST;
import static dev.jacquard.expressions.targets.TargetPolicyTest.drawn;
import static dev.jacquard.expressions.targets.TargetPolicyTest.nanos;
import static dev.jacquard.expressions.targets.TargetPolicyTest.step;
import static dev.jacquard.expressions.targets.TargetPolicyTest.work;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.expressions.targets.TargetPolicy.Choice;
import dev.jacquard.expressions.targets.TargetPolicy.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Scheduling policies that choose the targets of steps. */
class PolicyTargetsTest {
    /** A policy that places whole graphs and nothing else. */
    record Planner(GraphPlacement graphPlacement) implements Policy {
        @Override
        public String name() {
            return "planner";
        }

        @Override
        public @Nullable ReadyOrder order() {
            return null;
        }
    }

    /** Puts each task on the last place where it can run, one after the other. */
    static Plan last(WorkGraph graph) {
        int[] places = new int[graph.tasks()];
        double[] starts = new double[places.length];
        double[] ends = new double[places.length];
        double now = 0;
        for (int task = 0; task < places.length; task++) {
            for (int place = 0; place < graph.places(); place++) {
                places[task] = graph.canRun(task, place) ? place : places[task];
            }
            for (int edge : graph.in(task)) {
                now = Math.max(now, ends[graph.from(edge)] + graph.copy(edge, places[graph.from(edge)], places[task]));
            }
            starts[task] = now;
            now += graph.cost(task, places[task]);
            ends[task] = now;
        }
        return new Plan(places, starts, ends, 0);
    }

    @Test
    void aPolicyThatPlacesGraphsSeesTheStepAsAGraph() {
        List<WorkGraph> seen = new ArrayList<>();
        TargetPolicy policy = TargetPolicy.of(new Planner((graph, limits) -> {
            seen.add(graph);
            return last(graph);
        }));
        assertTrue(policy.usesTimes());
        assertEquals("planner", policy.toString());
        Choice choice = policy.choose(step(
                4,
                work("1", Map.of(HOST, 1000.0, B, 2000.0), List.of(0), 1),
                work("2", Map.of(HOST, 5.0), List.of(0, 1), 2),
                work("3", nanos(7, 8, 9), List.of(1, 2), 3)));
        assertEquals(List.of(B, HOST, A), choice.targets());
        // 110 to copy the source, 2,000, 110 back
        assertEquals(
                "\"2\" on host: from 2.2 to 2.2 µs in the plan of policy \"planner\"",
                choice.reasons().get(1));
        WorkGraph graph = seen.getFirst();
        assertEquals(
                List.of("host", "b", "a"),
                IntStream.range(0, 3).mapToObj(graph::place).toList());
        assertEquals(
                List.of("values on the host", "1", "2", "3"),
                IntStream.range(0, graph.tasks()).mapToObj(graph::name).toList());
        assertTrue(graph.canRun(0, 0) && !graph.canRun(0, 1) && !graph.canRun(2, 1) && !graph.canRun(1, 2));
        assertEquals(2000, graph.cost(1, 1));
        assertEquals(
                List.of("0-1", "0-2", "1-2", "1-3", "2-3"),
                IntStream.range(0, graph.edges())
                        .mapToObj(edge -> graph.from(edge) + "-" + graph.to(edge))
                        .toList());
        assertEquals(110, graph.copy(0, 0, 1), 1e-9);
        assertEquals(0, graph.copy(0, 1, 1));
    }

    @Test
    void copiesOfAGraphCostTheSameAsThoseOfTheStep() {
        for (int seed = 0; seed < 500; seed++) {
            Step step = drawn(new Random(seed), false);
            WorkGraph graph = new StepGraph(step).graph();
            for (int edge = 0; edge < graph.edges(); edge++) {
                for (int from = 0; from < graph.places(); from++) {
                    for (int to = 0; to < graph.places(); to++) {
                        long bytes = Math.round(graph.size(edge));
                        double expected = from == to ? 0 : step.copies().nanos(HOST, A, bytes);
                        assertEquals(expected, graph.copy(edge, from, to), 1e-9, "seed " + seed);
                    }
                }
            }
        }
    }

    @Test
    void aPolicyWithoutAPlacementLetsWorksEndEarly() {
        TargetPolicy policy = TargetPolicy.of(Policies.named("fifo"));
        assertTrue(policy.usesTimes());
        Choice choice = policy.choose(step(
                3,
                work("1", nanos(100, 50, 50), List.of(0), 1), // 110 to copy
                work("2", nanos(500, 80, 70), List.of(0), 2)));
        assertEquals(List.of(HOST, B), choice.targets());
        String reason = choice.reasons().get(1);
        assertTrue(reason.startsWith("\"2\" on b: chosen by policy \"fifo\" among [host, a, b]; host: over"), reason);
    }

    @Test
    void aPlacementKnowsTheStep() {
        List<String> seen = new ArrayList<>();
        Policy policy = Policies.with(Policies.named("fifo"), null, (task, machine) -> {
            Place last = machine.places().getLast();
            seen.add(task.name() + ", depth " + task.depth() + ", consumers " + task.consumers() + ", "
                    + machine.places() + ", tasks " + machine.tasks(last) + ", queued " + machine.queuedNanos(last)
                    + ", runs " + machine.runNanos(task, last) + ", data " + machine.dataNanos(task, last)
                    + ", missing " + machine.missingBytes(task, last) + " of " + machine.bytes(task));
            return last;
        });
        Choice choice = TargetPolicy.of(policy)
                .choose(step(
                        3,
                        work("1", nanos(1, 2, 3), List.of(0), 1),
                        work("2", Map.of(HOST, 4.0, B, 5.0), List.of(1), 2)));
        assertEquals(List.of(B, B), choice.targets());
        assertEquals(
                List.of(
                        "1, depth 0, consumers 1, [host, a, b], tasks 0, queued 0.0, runs 3.0, data 110.0,"
                                + " missing 100 of 200",
                        "2, depth 1, consumers 0, [host, b], tasks 1, queued 3.0, runs 5.0, data 113.0,"
                                + " missing 0 of 200"),
                seen);
    }

    @Test
    void aBreachOfAPolicyIsNamed() {
        Step step = step(2, work("flux", Map.of(HOST, 1.0, A, 1.0), List.of(0), 1));
        TargetPolicy wrong = TargetPolicy.of(new Planner((graph, limits) -> {
            Plan plan = last(graph);
            plan.starts()[1] = 0;
            plan.ends()[1] = 1;
            return plan;
        }));
        assertMentions(
                assertThrows(PolicyException.class, () -> wrong.choose(step)),
                "policy \"planner\" made a plan that does not hold: \"flux\" starts at 0.0");
        TargetPolicy throwing = TargetPolicy.of(new Planner((graph, limits) -> {
            throw new IllegalStateException("planned");
        }));
        assertMentions(assertThrows(PolicyException.class, () -> throwing.choose(step)), "threw from plan", "planned");
        TargetPolicy elsewhere =
                TargetPolicy.of(Policies.with(Policies.named("fifo"), null, (task, machine) -> Place.worker(7)));
        assertMentions(
                assertThrows(PolicyException.class, () -> elsewhere.choose(step)),
                "placed task \"flux\" on worker 7; the places were host, a");
    }
}
