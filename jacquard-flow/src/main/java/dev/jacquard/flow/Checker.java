package dev.jacquard.flow;

import dev.jacquard.flow.Destinations.Branch;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.runtime.RunPlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Trait;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds, before a run, the problems that would keep a graph from running to its end. To add a check, write a method
 * that adds problems.
 */
final class Checker {
    private final Flattening unfolding;
    private final List<PlannedPart> items;
    private final List<String> problems;
    /** True if every task has its own threads, regardless of its own setting. */
    private final boolean dedicated;

    /** Creates a check that finds further {@code problems} than the problems of the bodies. */
    Checker(Flattening unfolding, List<String> problems, boolean dedicated) {
        this.dedicated = dedicated;
        this.unfolding = unfolding;
        this.items = unfolding.items;
        this.problems = new ArrayList<>(unfolding.problems);
        this.problems.addAll(problems);
    }

    FlowGraph.Check check() {
        checkNames();
        items.stream().filter(PlannedPart::isFirst).forEach(this::checkItem);
        checkOnce("the graph's input", unfolding.inputs, unfolding.inputBranches);
        checkProducers();
        List<Use> uses =
                unfolding.uses.stream().filter(use -> use.first() == use).toList();
        uses.forEach(this::checkGraphsInside);
        LooseEnds loose = new LooseEnds(items, this::outputType);
        uses.forEach(use -> problems.addAll(loose.of(use)));
        checkReach();
        checkCircles();
        checkTypes();
        for (int pool = 0; pool < unfolding.pools.size(); pool++) {
            boolean isMemory = !unfolding.pools.get(pool).isBound();
            if (isMemory && isFirst(pool)) { // else it is as the one of the first copy of the pipeline
                checkMemory(pool);
            }
        }
        problems.addAll(DeviceMemory.problems(unfolding));
        return new FlowGraph.Check(unfolding.graph.name, List.copyOf(problems));
    }

    private void checkNames() {
        Set<String> seen = new HashSet<>();
        items.forEach(item -> checkName(kind(item), item.name, seen));
        unfolding.pools.stream()
                .filter(pool -> !pool.isBound()) // a name with the names of two parts
                .forEach(pool -> checkName("memory edge", pool.name(), seen));
        unfolding.uses.stream()
                .filter(use -> use.first() == use)
                .forEach(use -> use.graph.siblings.forEach(
                        edge -> checkName("edge between siblings", use.prefix + edge.name(), seen)));
    }

    private static String kind(PlannedPart item) {
        return switch (item.part) {
            case FlowTask<?, ?> task -> "task";
            case Bookkeeper<?> keeper -> "bookkeeper";
            default -> "pipeline";
        };
    }

    private void checkName(String what, String name, Set<String> seen) {
        if (name.isBlank()) {
            problems.add("a " + what + " has no name: give it one that is not blank");
        } else if (!seen.add(name)) {
            problems.add("two parts are named \"" + name + "\": give each a name of its own");
        }
    }

    private void checkItem(PlannedPart item) {
        if (item.copies() < 1) {
            problems.add("task \"" + item.name + "\" has " + item.copies() + " copies: at least 1");
        }
        String routing = item.task == null ? null : item.task.settings.routingProblem();
        if (routing != null) {
            problems.add("task \"" + item.name + "\" " + routing);
        }
        if (item.task != null && item.task.settings.queue != null) {
            if (item.task.settings.order != null) {
                problems.add("task \"" + item.name + "\" has a priority and a queue: leave one of the two out");
            }
            if (!item.takes.isEmpty()) {
                problems.add("task \"" + item.name + "\" has a queue, and takes buffers, for which its items wait in"
                        + " their own order: put a task with the queue before it");
            }
        }
        if (item.keeper != null && item.keeper.rules.isEmpty()) {
            problems.add("bookkeeper \"" + item.name + "\" has no rule: add one with rule(...)");
        }
        for (MemoryEdge<?> edge : item.foreign) {
            problems.add(kind(item) + " \"" + item.name + "\" uses memory edge \"" + edge.name()
                    + "\", which another graph made: use one of its own graph; a body may release into an edge that is"
                    + " releasedOutside() without a declaration");
        }
        checkOnce(kind(item) + " \"" + item.name + '"', item.outlets, item.branches);
        item.takes.forEach((pool, count) -> {
            if (!unfolding.pools.get(pool).isBound()) {
                problems.addAll(MemoryChecks.taking(
                        item, count, unfolding.pools.get(pool).edge(), item.takenBytes.getOrDefault(pool, 0L)));
            }
        });
        problems.addAll(Slots.problems(unfolding, item));
    }

    private void checkOnce(String from, List<int[]> outlets, List<Branch> branches) {
        for (int i = 0; i < outlets.size() - branches.size(); i++) {
            checkOnce(from, outlets.get(i));
        }
        for (Branch branch : branches) {
            int to = outlets.get(branch.to())[0];
            boolean isOnce =
                    Set.copyOf(branch.passages()).size() == branch.passages().size()
                            && Arrays.stream(outlets.get(branch.of())).noneMatch(other -> other == to);
            if (!isOnce && to != RunPlan.NOWHERE) {
                problems.add(from + " is joined to \"" + name(to) + "\" twice: remove one edge");
            }
        }
    }

    private void checkOnce(String from, int[] consumers) {
        Set<Integer> seen = new HashSet<>();
        for (int to : consumers) {
            if (!seen.add(to)) {
                problems.add(from + " is joined to \"" + name(to) + "\" twice: remove one edge");
            }
        }
    }

    private void checkProducers() {
        Set<Integer> fed = new HashSet<>();
        addAll(StagePlan.consumers(unfolding.inputs), fed);
        for (PlannedPart item : items) {
            addAll(item.consumers, fed);
        }
        for (int i = 0; i < items.size(); i++) {
            PlannedPart item = items.get(i);
            if (item.isStart() && fed.contains(i)) {
                problems.add("start task \"" + item.name + "\" has a producer: make it an ordinary task");
            } else if (!item.isStart() && !fed.contains(i) && item.isFirst()) {
                problems.add(kind(item) + " \"" + item.name + "\" has no producer: join something to it"
                        + (item.task == null ? "" : ", or make it a start task"));
            }
        }
        if (items.isEmpty() && StagePlan.consumers(unfolding.inputs).length == 0) {
            problems.add("the graph is empty: add a task");
        }
    }

    /** Finds graphs inside of {@code use} that lose items sent to them. */
    private void checkGraphsInside(Use use) {
        Set<Sink<?>> joined = use.joined();
        for (FlowGraph.Nested<?, ?> nested : use.inner.keySet()) {
            if (joined.contains(nested)
                    && new Destinations(nested.inner.inputs, nested.inner.inputEnds, use.inner.get(nested)).isEmpty()) {
                problems.add(
                        "graph \"" + use.prefix + nested.name() + "\" loses what is sent to it: join its input to a"
                                + " task, or remove the edges that lead to it");
            }
        }
        for (FlowPipeline<?, ?> pipeline : use.pipelines.keySet()) {
            if (joined.contains(pipeline) && use.numbersOf(pipeline).findAny().isEmpty()) {
                problems.add("pipeline \"" + use.prefix + pipeline.name()
                        + "\" loses what is sent to it: join the input of its graph to a task, or remove the edges that"
                        + " lead to it");
            }
        }
    }

    private void checkReach() {
        Set<Integer> reached = new HashSet<>();
        Deque<Integer> queue = new ArrayDeque<>();
        addAll(StagePlan.consumers(unfolding.inputs), queue);
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).isStart()) {
                queue.add(i);
            }
        }
        while (!queue.isEmpty()) {
            int at = queue.remove();
            if (reached.add(at) && at >= 0) {
                addAll(items.get(at).consumers, queue);
            }
        }
        if (unfolding.graph.output != null && !reached.contains(RunPlan.OUTPUT)) {
            problems.add("the output cannot be reached from the input or a start task: join a task on their way to it");
        }
        for (int i = 0; i < items.size(); i++) {
            if (!reached.contains(i) && items.get(i).isFirst()) {
                problems.add(kind(items.get(i)) + " \"" + items.get(i).name
                        + "\" cannot be reached from the input or a start task");
            }
        }
    }

    private static void addAll(int[] numbers, Collection<Integer> to) {
        for (int number : numbers) {
            to.add(number);
        }
    }

    private void checkCircles() {
        if (unfolding.circles.isEmpty()) {
            return;
        }
        Predicate<PlannedPart> endless = item -> !item.hasTermination();
        Cycles circles = new Cycles(items, endless);
        for (List<Integer> circle : circles.all()) {
            if (circle.stream().noneMatch(i -> items.get(i).isFirst())) {
                continue; // the same in another copy of a pipeline
            }
            problems.add("the cycle " + circles.path(circle)
                    + " has no termination condition: give one of its tasks terminatedWhen(...) or endsCycle()");
        }
    }

    private void checkTypes() {
        checkTypes("the graph's input", unfolding.inputs, unfolding.inputBranches, _ -> unfolding.graph.inputType);
        for (PlannedPart item : items.stream().filter(PlannedPart::isFirst).toList()) {
            checkTypes('"' + item.name + '"', item.outlets, item.branches, outlet -> outputType(item, outlet));
        }
    }

    private void checkTypes(
            String from, List<int[]> outlets, List<Branch> branches, IntFunction<@Nullable Class<?>> types) {
        for (int i = 0; i < outlets.size() - branches.size(); i++) {
            for (int to : outlets.get(i)) {
                checkType(from, types.apply(i), to);
            }
        }
        for (Branch branch : branches) {
            branch.passages().forEach(passage -> checkType(from, passage.type(), outlets.get(branch.to())[0]));
        }
    }

    private void checkType(String from, @Nullable Class<?> sent, int to) {
        if (sent == null) {
            return;
        }
        if (to == RunPlan.NOWHERE) {
            return;
        }
        if (to == RunPlan.OUTPUT) {
            mismatch(from, sent, "the graph's output", unfolding.graph.outputType);
        } else if (items.get(to).part instanceof FlowPipeline<?, ?>) {
            for (int inside : items.get(to).outlets.getFirst()) {
                checkType(from, sent, inside);
            }
        } else if (items.get(to).keeper != null) {
            for (Rule<?, ?> rule : items.get(to).rules) {
                mismatch(
                        from,
                        sent,
                        "a rule of \"" + name(to) + "\"",
                        TypeFinder.argument(rule.getClass(), Rule.class, 0));
            }
        } else {
            mismatch(from, sent, "\"" + name(to) + "\"", inputType(items.get(to)));
        }
    }

    private void mismatch(String from, Class<?> sent, String to, @Nullable Class<?> taken) {
        if (taken != null && !taken.isAssignableFrom(sent)) {
            problems.add(from + " sends " + sent.getTypeName() + ", but " + to + " takes " + taken.getTypeName());
        }
    }

    private @Nullable Class<?> inputType(PlannedPart item) {
        if (item.task == null) {
            return null;
        }
        return item.task.settings.in != null ? item.task.settings.in : bodyType(item, 0);
    }

    private @Nullable Class<?> outputType(PlannedPart item, int outlet) {
        if (item.task != null) {
            return outlet > 0 ? null : item.task.settings.out != null ? item.task.settings.out : bodyType(item, 1);
        }
        return outlet >= item.rules.size() // an edge to siblings, or a pipeline
                ? null
                : TypeFinder.argument(item.rules.get(outlet).getClass(), Rule.class, 1);
    }

    private static @Nullable Class<?> bodyType(PlannedPart item, int index) {
        return item.bodies.isEmpty()
                ? null
                : TypeFinder.argument(item.bodies.getFirst().getClass(), Body.class, index);
    }

    /** Returns true unless another copy of a pipeline has the same memory edge with a smaller number. */
    private boolean isFirst(int pool) {
        return unfolding.pipelines.stream()
                .allMatch(pipeline -> pipeline.copies().stream()
                        .skip(1)
                        .noneMatch(copy -> copy.pools().has(pool)));
    }

    private void checkMemory(int pool) {
        MemoryEdge<?> edge = unfolding.pools.get(pool).edge();
        String name = "memory edge \"" + unfolding.pools.get(pool).name() + "\"";
        boolean mayTake = items.stream()
                .anyMatch(item -> item.task != null && (dedicated || item.task.settings.is(Trait.DEDICATED)));
        problems.addAll(MemoryChecks.size(name, edge));
        if (!edge.isTakenOutside() && !mayTake && items.stream().noneMatch(item -> item.takes.containsKey(pool))) {
            problems.add("nobody takes from " + name + ": declare it with takes(...) or takenOutside()");
        }
        if (!edge.isReleasedOutside() && items.stream().noneMatch(item -> item.releases.contains(pool))) {
            problems.add("nobody releases into " + name + ": declare it with releases(...) or releasedOutside()");
        }
    }

    private String name(int number) {
        return switch (number) {
            case RunPlan.OUTPUT -> "output";
            case RunPlan.NOWHERE -> "nowhere";
            default -> items.get(number).name;
        };
    }
}
