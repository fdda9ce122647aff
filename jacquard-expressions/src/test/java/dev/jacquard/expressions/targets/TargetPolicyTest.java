package dev.jacquard.expressions.targets;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.schedule.Policies;
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
import org.junit.jupiter.api.Test;

/** Policies on steps by hand and on steps that are drawn. */
class TargetPolicyTest {
    static final ExecutionTarget HOST = ExecutionTarget.HOST;
    static final ExecutionTarget A = ExecutionTarget.named("a");
    static final ExecutionTarget B = ExecutionTarget.named("b");
    private static final List<ExecutionTarget> ALL = List.of(HOST, A, B);
    private static final TargetPolicy.Copies COPIES = (from, to, bytes) -> 10 + bytes;

    static Work work(String name, Map<ExecutionTarget, Double> nanos, List<Integer> reads, Integer... writes) {
        List<ExecutionTarget> eligible = ALL.stream().filter(nanos::containsKey).toList();
        return new Work(name, eligible, nanos, reads, List.of(writes));
    }

    static Step step(int values, Work... works) {
        List<Value> all = IntStream.range(0, values)
                .mapToObj(i -> new Value("v" + i, 100))
                .toList();
        return new Step(List.of(works), all, COPIES, Map.of());
    }

    static Map<ExecutionTarget, Double> nanos(double host, double a, double b) {
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
        assertEquals(
                "\"2\" on a: from 0.1 to 0.4 µs in the plan of policy \"hybrid\";"
                        + " it takes 0.9 µs on host, 0.3 µs on a, 0.1 µs on b",
                reason);
    }

    /** Neither values of the host nor a second value between two works make two paths of one. */
    @Test
    void sourcesAndFurtherValuesEndNoPath() {
        Step step = new Step(
                List.of(
                        work("1", nanos(900, 100, 300), List.of(0), 1, 2),
                        work("2", nanos(900, 300, 100), List.of(1, 2, 0), 3),
                        work("3", nanos(900, 100, 290), List.of(0, 3), 4)),
                IntStream.range(0, 5).mapToObj(i -> new Value("v" + i, 1)).toList(),
                (from, to, bytes) -> 1,
                Map.of());
        assertEquals(List.of(A, A, A), TargetPolicy.hybrid().choose(step).targets());
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

    // ---- drawn steps

    /** Returns the time at which a step ends whose works take these targets in their order. */
    private static double end(Step step, List<ExecutionTarget> targets) {
        Timeline timeline = new Timeline(step);
        return IntStream.range(0, targets.size())
                .mapToDouble(i -> timeline.give(step.works().get(i), targets.get(i)))
                .max()
                .orElse(0);
    }

    /** Returns the works one after the other, each the only one that needs the work before it, and no other work. */
    private static List<List<Integer>> paths(Step step) {
        List<Set<Integer>> producers = step.producers();
        int[] consumers = new int[producers.size()];
        producers.forEach(its -> its.forEach(producer -> consumers[producer]++));
        List<List<Integer>> paths = new ArrayList<>();
        List<List<Integer>> pathOf = new ArrayList<>();
        for (int work = 0; work < consumers.length; work++) {
            Set<Integer> before = producers.get(work);
            int only = before.size() == 1 ? before.iterator().next() : -1;
            List<Integer> path = only >= 0 && consumers[only] == 1 ? pathOf.get(only) : new ArrayList<>();
            if (path.isEmpty()) {
                paths.add(path);
            }
            path.add(work);
            pathOf.add(path);
        }
        return paths;
    }

    static Step drawn(Random random, boolean isChain) {
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
                TargetPolicy.host(),
                TargetPolicy.hybrid(),
                TargetPolicy.of(new PolicyTargetsTest.Planner((graph, any) -> PolicyTargetsTest.last(graph)))));
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
            StepGraph graph = new StepGraph(step);
            Plan plan = GraphPlacement.hybrid().plan(graph.graph(), GraphPlacement.Limits.DEFAULT);
            assertEquals(targets, graph.targets(plan), "seed " + seed);
            double end = plan.makespan();
            for (ExecutionTarget alone : ALL) {
                if (step.works().stream().allMatch(work -> work.eligible().contains(alone))) {
                    List<ExecutionTarget> all =
                            step.works().stream().map(work -> alone).toList();
                    assertTrue(end <= end(step, all) * (1 + 1e-9), "seed " + seed + ": later than on " + alone);
                }
            }
            for (List<Integer> path : paths(step)) {
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
            double found = end(step, TargetPolicy.hybrid().choose(step).targets());
            assertEquals(least(step, new ArrayList<>()), found, 1e-9, "seed " + seed);
        }
    }

    private static double least(Step step, List<ExecutionTarget> chosen) {
        if (chosen.size() == step.works().size()) {
            return end(step, chosen);
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
