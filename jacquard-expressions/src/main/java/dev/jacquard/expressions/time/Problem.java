package dev.jacquard.expressions.time;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.text.NearestName;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.tree.Boundaries;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.Deviation;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Parameters;
import dev.jacquard.expressions.tree.TreeRuns;
import dev.jacquard.memory.data.Data;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields that advance, with their rates and boundaries, and the trees of the stages that follow. Immutable.
 *
 * @param method how they advance
 * @param tree the expressions of the rates
 * @param rates the field that advances, and its rate
 * @param boundaries the conditions of fields that advance
 * @param parameters the numbers of the expressions
 * @param targets assigns the expressions to targets; null to leave that to the session
 * @param isResident true if fields stay on the targets between steps
 * @param tolerance of the error of a step, relative to the magnitude of a field; 0 for steps of given lengths
 */
record Problem(
        Stage.Method method,
        ExpressionTree tree,
        Map<Tag<?>, Tag<?>> rates,
        Map<Tag<Cell>, Map<Side, Condition>> boundaries,
        Map<String, Double> parameters,
        @Nullable TargetPolicy targets,
        boolean isResident,
        double tolerance) {
    /** The names of the numbers that the method gives. */
    static final String TIME = "t";

    static final String STEP = "dt";
    private static final String AFTER = " after the step";

    Problem {
        Set<Tag<?>> computed = tree.fates().keySet();
        if (rates.isEmpty()) {
            throw new IllegalArgumentException("nothing advances: Ssp.advance names a field and its rate");
        }
        rates.forEach((unknown, rate) -> {
            if (!computed.contains(rate)) {
                throw new IllegalArgumentException("\"" + unknown + "\" advances by \"" + rate
                        + "\", which the tree does not compute; it computes " + computed);
            }
            if (computed.contains(unknown)) {
                throw new IllegalArgumentException("\"" + unknown
                        + "\" advances, and the tree has an expression for it, too: declare it as a source");
            }
        });
        for (Tag<Cell> tag : boundaries.keySet()) {
            if (!rates.containsKey(tag)) {
                throw new IllegalArgumentException("\"" + tag + "\" has conditions at its boundaries, but does not"
                        + " advance; " + rates.keySet() + " do");
            }
            for (Side side : Side.values()) {
                if (side.axis() < tree.grid().dimensions()
                        && !boundaries.get(tag).containsKey(side)) {
                    throw new IllegalStateException("\"" + tag + "\" has no condition on side " + side + ": boundary("
                            + tag + ", " + side + ", condition) gives it one");
                }
            }
        }
        requireFreeNames(tree, method.count());
        for (String name : List.of(TIME, STEP)) {
            if (parameters.containsKey(name)) {
                throw new IllegalArgumentException(
                        "parameter \"" + name + "\" is given by the method, and cannot be" + " given another value");
            }
        }
        Set<String> known = TreeRuns.parameters(tree);
        for (String name : parameters.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("no expression has a parameter \"" + name + "\"; they have " + known
                        + NearestName.hint(name, known));
            }
        }
    }

    /**
     * Refuses fields of the user's that have names that fields of stages will have: a step tells units by their names.
     */
    private static void requireFreeNames(ExpressionTree tree, int stages) {
        Set<Tag<?>> all = new LinkedHashSet<>();
        tree.dependencies().forEach((tag, reads) -> {
            all.add(tag);
            all.addAll(reads);
        });
        for (Tag<?> tag : all) {
            List<Tag<?>> derived = new ArrayList<>(List.of(named(tag, AFTER)));
            for (int stage = 1; stage <= stages; stage++) {
                derived.add(at(stage, tag));
            }
            derived.replaceAll(its -> new Tag<>(its.toString(), its.location()));
            derived.retainAll(all);
            if (!derived.isEmpty()) {
                throw new IllegalArgumentException("\"" + derived.getFirst() + "\" is what the stages of a step call"
                        + " the next values of \"" + tag + "\": give your field another name");
            }
        }
    }

    /** Returns the field that a stage begins with, in the place of one that advances. */
    static Tag<?> at(int stage, Tag<?> tag) {
        return stage == 0 ? tag : named(tag, " at stage " + stage);
    }

    private static <L extends Location> Tag<L> named(Tag<L> tag, String suffix) {
        return new Tag<>(tag.name() + '\0' + suffix, tag.location()); // like no field of the user's
    }

    /**
     * Returns the field that a stage gives: of the last of several stages one by another name in the same memory,
     * unless fields swap. Where steps may be rejected, the last of three gives that of the first, which nothing reads
     * any more: it is nearer in the caches than a field that the step has not used.
     */
    Tag<?> after(int stage, Tag<?> unknown) {
        if (stage == 2 && tolerance > 0 && targets == null) {
            return at(1, unknown);
        }
        return !swaps() && stage + 1 == method.count() ? named(unknown, AFTER) : at(stage + 1, unknown);
    }

    /**
     * Returns true if a step writes other fields than it reads: with a single stage, on several targets, so that a step
     * can be done again when a device was lost, and where steps may be rejected.
     */
    boolean swaps() {
        return method.count() == 1 || targets != null || tolerance > 0;
    }

    /** Returns the problem to record steps of: one with a companion where lengths are chosen. */
    Problem ofSteps() {
        return tolerance > 0
                ? new Problem(
                        method.withCompanion(), tree, rates, boundaries, parameters, targets, isResident, tolerance)
                : this;
    }

    /** Returns the expressions of the last stage, which find how far the fields that advance are from the companion. */
    ExpressionTree watched(ExpressionTree stage, List<Deviation> deviations) {
        ExpressionTree watched = stage;
        int number = 0;
        for (Tag<?> unknown : rates.keySet()) {
            watched = watched(watched, unknown, deviations.get(number++));
        }
        return watched;
    }

    @SuppressWarnings("unchecked") // a stage's field is where the field is
    private <L extends Location> ExpressionTree watched(ExpressionTree stage, Tag<L> unknown, Deviation deviation) {
        Stage.Companion its = Objects.requireNonNull(method.companion());
        int last = method.count() - 1;
        Tag<L> known = (Tag<L>) at(last, unknown);
        Tag<L> next = (Tag<L>) after(last, unknown);
        return deviation.watch(stage, next, known, its.last(), unknown, its.start());
    }

    /** Returns the expressions of a stage. */
    ExpressionTree stage(int number) {
        return stage(number, rates.keySet());
    }

    /** Returns the expressions of a stage that give some of the fields that advance. */
    private ExpressionTree stage(int number, Set<Tag<?>> unknowns) {
        Map<Tag<?>, Expr<?>> wanted = new LinkedHashMap<>();
        unknowns.forEach(unknown ->
                wanted.put(after(number, unknown), sum(number, unknown, Objects.requireNonNull(rates.get(unknown)))));
        Set<Tag<?>> computed = tree.fates().keySet();
        return tree.derive(wanted, tag -> rates.containsKey(tag) || computed.contains(tag) ? at(number, tag) : tag);
    }

    @SuppressWarnings("unchecked") // a field and its rate have one location
    private <L extends Location> Expr<L> sum(int number, Tag<L> unknown, Tag<?> rate) {
        Stage stage = method.stage(number);
        Expr<L> change = ((Tag<L>) at(number, rate)).times(Functions.<L>parameter(STEP));
        Expr<L> next = ((Tag<L>) at(number, unknown)).plus(change);
        return stage.start() == 0 ? next : unknown.times(stage.start()).plus(next.times(1 - stage.start()));
    }

    /**
     * Returns the rate of a field, by fields that the caller sets, and fields that advance, alone.
     *
     * @throws IllegalStateException if it depends on a result of a loop of the user's
     */
    Expr<?> rate(Tag<?> unknown) {
        Map<Tag<?>, Expr<?>> all = tree.definitions();
        Expr<?> rate = Objects.requireNonNull(rates.get(unknown)).inline(all::get);
        Set<Tag<?>> loops = new LinkedHashSet<>(rate.reads());
        loops.retainAll(tree.fates().keySet());
        if (!loops.isEmpty()) {
            throw new IllegalStateException("no stable step of \"" + unknown + "\" is known: it depends on " + loops
                    + ", which a loop of the user's computes, and which cannot be differentiated: give the steps a"
                    + " length");
        }
        return rate;
    }

    /** Returns false if a rate depends on a result of a loop of the user's, or a field that advances is in no cell. */
    boolean hasDerivatives() {
        Map<Tag<?>, Expr<?>> all = tree.definitions();
        return rates.keySet().stream().allMatch(unknown -> {
            Expr<?> rate = Objects.requireNonNull(rates.get(unknown)).inline(all::get);
            return unknown.location() == Cell.class && rate.reads().stream().noneMatch(tree.fates()::containsKey);
        });
    }

    /** Returns the boundaries of the fields that a stage begins with. */
    List<Boundaries> boundaries(int number, FieldStore fields) {
        List<Boundaries> all = new ArrayList<>();
        boundaries.forEach((tag, conditions) -> all.add(boundaries(fields, at(number, tag), conditions)));
        return all;
    }

    /** Submits the tasks that fill the ghosts of the fields that a step begins with, on the host: there they stay. */
    void fillOnHost(FieldStore fields, Tasks graph, Parameters numbers) {
        boundaries(0, fields).forEach(its -> its.filledOn(ExecutionTarget.HOST).submit(graph, numbers));
    }

    @SuppressWarnings("unchecked") // a stage's field is where the field is
    private static Boundaries boundaries(FieldStore fields, Tag<?> tag, Map<Side, Condition> conditions) {
        Boundaries its = Boundaries.of(fields, (Tag<Cell>) tag);
        for (Map.Entry<Side, Condition> one : conditions.entrySet()) {
            its = its.on(one.getKey(), one.getValue());
        }
        return its;
    }

    /**
     * Throws an exception if a stage reads or computes a field that advances by another name, which
     * {@link FieldStore#alias} gave it: it would have the values of another stage, or of the step before.
     */
    void requireOneName(ExpressionTree stage, FieldStore fields) {
        Map<Data, Tag<?>> advancing = new HashMap<>();
        for (Tag<?> unknown : rates.keySet()) {
            for (GridField field : FiniteCheck.components(fields, unknown)) {
                requireFirst(unknown, advancing.putIfAbsent(field.data(), unknown));
            }
        }
        for (Tag<?> tag : stage.memory().persistent()) {
            if (!rates.containsKey(tag) && tag.name().indexOf('\0') < 0) { // none of a stage
                FiniteCheck.components(fields, tag).forEach(field -> requireFirst(tag, advancing.get(field.data())));
            }
        }
    }

    private static void requireFirst(Tag<?> tag, @Nullable Tag<?> first) {
        if (first != null) {
            throw new IllegalArgumentException("\"" + tag + "\" is another name of \"" + first
                    + "\", which advances, by FieldStore.alias: name \"" + first + "\" in its place");
        }
    }

    /** Throws an exception if the loops read ghosts that no condition fills. */
    void requireFilledGhosts(ExpressionTree stage, int number) {
        for (Tag<?> unknown : rates.keySet()) {
            int layers = stage.ghosts(at(number, unknown));
            if (layers > 0 && !boundaries.containsKey(unknown)) {
                Tag<?> reader = rates.keySet().stream()
                        .filter(one -> stage(number, Set.of(one)).ghosts(at(number, unknown)) == layers)
                        .findFirst()
                        .orElse(unknown);
                throw new IllegalStateException("\"" + rates.get(reader) + "\" needs " + layers
                        + (layers == 1 ? " layer" : " layers") + " of \"" + unknown
                        + "\" beyond the boundary, which nothing fills: boundary(" + unknown
                        + ", side, condition) does, for each side");
            }
        }
    }
}
