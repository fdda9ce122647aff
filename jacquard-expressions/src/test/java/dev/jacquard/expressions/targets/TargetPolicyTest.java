package dev.jacquard.expressions.targets;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
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
import dev.jacquard.expressions.targets.TargetPolicy.Value;
import dev.jacquard.expressions.targets.TargetPolicy.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Policies on steps by hand and on steps that are drawn. */
class TargetPolicyTest {
    private static final ExecutionTarget HOST = ExecutionTarget.HOST;
    private static final ExecutionTarget A = ExecutionTarget.named("a");
    private static final ExecutionTarget B = ExecutionTarget.named("b");
    private static final List<ExecutionTarget> ALL = List.of(HOST, A, B);
    private static final TargetPolicy.Copies COPIES = (from, to, bytes) -> 10 + bytes;

    private static Work work(String name, Map<ExecutionTarget, Double> nanos, List<Integer> reads, Integer... writes) {
        List<ExecutionTarget> eligible = ALL.stream().filter(nanos::containsKey).toList();
        return new Work(name, eligible, nanos, reads, List.of(writes));
    }

    private static Step step(int values, Work... works) {
        List<Value> all = IntStream.range(0, values)
                .mapToObj(i -> new Value("v" + i, 100))
                .toList();
        return new Step(List.of(works), all, COPIES, Map.of());
    }

    private static Map<ExecutionTarget, Double> nanos(double host, double a, double b) {
        return Map.of(HOST, host, A, a, B, b);
    }

    @Test
    void worksTakeTurns() {
        Step step = step(
                4,
                work("1", nanos(1, 1, 1), List.of(0), 1),
                work("2", nanos(1, 1, 1), List.of(0), 2),
                work("3", nanos(1, 1, 1), List.of(0), 3),
                work("4", Map.of(HOST, 1.0), List.of(0), 3));
        Choice choice = TargetPolicy.roundRobin().choose(step);
        assertEquals(List.of(HOST, A, B, HOST), choice.targets());
        assertEquals(
                "\"3\" on b: chosen by policy \"round-robin\" among [host, a, b]",
                choice.reasons().get(2));
    }

    @Test
    void theLeastLoadedTargetGetsTheNextWork() {
        Step timed = step(
                1,
                work("1", nanos(100, 100, 100), List.of(), 0),
                work("2", nanos(30, 30, 30), List.of(), 0),
                work("3", nanos(30, 30, 30), List.of(), 0),
                work("4", nanos(5, 5, 5), List.of(), 0),
                work("5", nanos(5, 5, 5), List.of(), 0));
        assertEquals(
                List.of(HOST, A, B, A, B),
                TargetPolicy.minimumLoad().choose(timed).targets());
        Work none = new Work("untimed", ALL, Map.of(), List.of(), List.of(0));
        assertEquals(
                List.of(HOST, A, B, HOST, A),
                TargetPolicy.minimumLoad()
                        .choose(step(1, none, none, none, none, none))
                        .targets());
    }

    @Test
    void whatCopiesCostMoreThanTheyGainStaysOnTheHost() {
        Step step = step(2, work("1", nanos(100, 50, 50), List.of(0), 1)); // 110 to copy
        assertEquals(List.of(HOST), TargetPolicy.hybrid().choose(step).targets());
        Step longer = step(2, work("1", nanos(200, 80, 80), List.of(0), 1));
        assertEquals(List.of(A), TargetPolicy.hybrid().choose(longer).targets());
    }

    /** By itself each of the last two would be faster on another device than the one before. */
    @Test
    void worksOfDevicesOnAPathAreOnOneDevice() {
        Step step = new Step(
                List.of(
                        work("1", nanos(900, 100, 300), List.of(0), 1),
                        work("2", nanos(900, 300, 100), List.of(1), 2),
                        work("3", nanos(900, 100, 290), List.of(2), 3)),
                List.of(new Value("s", 1), new Value("x", 1), new Value("y", 1), new Value("z", 1)),
                (from, to, bytes) -> 1,
                Map.of());
        Choice choice = TargetPolicy.hybrid().choose(step);
        assertEquals(List.of(A, A, A), choice.targets());
        String reason = choice.reasons().get(1);
        assertTrue(reason.startsWith("\"2\" on a: over after 1.0 µs on host, "), reason);
        assertTrue(reason.endsWith("not moved from a on the way"), reason);
    }

    @Test
    void twoConsumersEndAPath() {
        Step step = step(
                6,
                work("1", nanos(1, 1, 1), List.of(0), 1),
                work("2", nanos(1, 1, 1), List.of(1), 2),
                work("3", nanos(1, 1, 1), List.of(2, 0), 3),
                work("4", nanos(1, 1, 1), List.of(2), 4),
                work("5", nanos(1, 1, 1), List.of(3, 4), 5));
        assertEquals(List.of(List.of(0, 1), List.of(2), List.of(3), List.of(4)), Paths.of(step));
    }

    @Test
    void aWrongAnswerIsNamed() {
        Step step = step(2, work("flux", Map.of(HOST, 1.0, A, 1.0), List.of(0), 1));
        Choice wrong = new Choice(List.of(B), List.of("why not"));
        assertMentions(
                assertThrows(IllegalStateException.class, () -> wrong.requireEligible(step)),
                "chose b for \"flux\"",
                "[host, a]");
        Choice none = new Choice(List.of(), List.of());
        assertMentions(assertThrows(IllegalStateException.class, () -> none.requireEligible(step)), "1 works");
    }

    // ---- scheduling policies

    /** A policy that places whole graphs and nothing else. */
    private record Planner(GraphPlacement graphPlacement) implements Policy {
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
    private static Plan last(WorkGraph graph) {
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

    // ---- drawn steps

    private static Step drawn(Random random, boolean isChain) {
        int count = 1 + random.nextInt(isChain ? 5 : 12);
        List<Work> works = new ArrayList<>();
        List<Value> values = new ArrayList<>(List.of(new Value("source", random.nextInt(200))));
        for (int i = 0; i < count; i++) {
            values.add(new Value("v" + i, random.nextInt(200)));
            Map<ExecutionTarget, Double> nanos = new HashMap<>();
            nanos.put(random.nextInt(8) == 0 ? A : HOST, random.nextInt(1000) * 1.0);
            for (ExecutionTarget target : ALL) {
                if (random.nextInt(4) > 0) {
                    nanos.put(target, random.nextInt(1000) * 1.0);
                }
            }
            Set<Integer> reads = new LinkedHashSet<>();
            if (isChain) {
                reads.add(i);
            } else {
                IntStream.range(0, random.nextInt(3)).forEach(any -> reads.add(random.nextInt(values.size() - 1)));
            }
            works.add(work("w" + i, nanos, List.copyOf(reads), i + 1));
        }
        long latency = random.nextInt(100);
        return new Step(works, values, (from, to, bytes) -> latency + bytes, Map.of());
    }

    @Test
    void allPoliciesChooseEligibleTargetsAndTheSameOnesEachTime() {
        List<TargetPolicy> policies = new ArrayList<>(List.of(
                TargetPolicy.host(), TargetPolicy.hybrid(), TargetPolicy.of(new Planner((graph, any) -> last(graph)))));
        Policies.all().forEach(policy -> policies.add(TargetPolicy.of(policy)));
        for (int seed = 0; seed < 2_000; seed++) {
            Step step = drawn(new Random(seed), false);
            for (TargetPolicy policy : policies) {
                Choice choice = policy.choose(step);
                choice.requireEligible(step);
                assertEquals(choice, policy.choose(step), policy + ", seed " + seed);
            }
        }
    }

    @Test
    void hybridIsNoLaterThanOneTargetAloneAndMovesNothingBetweenDevicesOnAPath() {
        int shared = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            Step step = drawn(new Random(seed), false);
            List<ExecutionTarget> targets = TargetPolicy.hybrid().choose(step).targets();
            double end = Timeline.end(step, targets);
            for (ExecutionTarget alone : ALL) {
                if (step.works().stream().allMatch(work -> work.eligible().contains(alone))) {
                    List<ExecutionTarget> all =
                            step.works().stream().map(work -> alone).toList();
                    assertTrue(end <= Timeline.end(step, all), "seed " + seed + ": later than on " + alone);
                }
            }
            for (List<Integer> path : Paths.of(step)) {
                Set<ExecutionTarget> common = new HashSet<>(ALL);
                Set<ExecutionTarget> used = new HashSet<>();
                path.forEach(work -> {
                    common.retainAll(step.works().get(work).eligible());
                    used.add(targets.get(work));
                });
                common.remove(HOST);
                if (!used.contains(HOST) && !common.isEmpty()) {
                    assertEquals(1, used.size(), "seed " + seed + ": path " + path + " of " + targets);
                    shared += path.size() > 1 ? 1 : 0;
                }
            }
        }
        assertTrue(shared > 50, "paths of several works on devices: " + shared);
    }

    /** With one device nothing is coalesced: the choice for a chain is the best of all. */
    @Test
    void aChainEndsAsEarlyAsItCan() {
        for (int seed = 0; seed < 500; seed++) {
            Step drawn = drawn(new Random(seed), true);
            List<Work> works = drawn.works().stream()
                    .map(work -> {
                        List<ExecutionTarget> two = work.eligible().stream()
                                .filter(target -> !target.equals(B))
                                .toList();
                        return two.isEmpty()
                                ? work(
                                        "w",
                                        Map.of(HOST, 7.0),
                                        work.reads(),
                                        work.writes().getFirst())
                                : new Work(work.name(), two, work.nanos(), work.reads(), work.writes());
                    })
                    .toList();
            Step step = new Step(works, drawn.values(), drawn.copies(), Map.of());
            double found = Timeline.end(step, TargetPolicy.hybrid().choose(step).targets());
            assertEquals(least(step, new ArrayList<>()), found, 1e-9, "seed " + seed);
        }
    }

    private static double least(Step step, List<ExecutionTarget> chosen) {
        if (chosen.size() == step.works().size()) {
            return Timeline.end(step, chosen);
        }
        double least = Double.POSITIVE_INFINITY;
        for (ExecutionTarget target : step.works().get(chosen.size()).eligible()) {
            chosen.add(target);
            least = Math.min(least, least(step, chosen));
            chosen.removeLast();
        }
        return least;
    }
}
