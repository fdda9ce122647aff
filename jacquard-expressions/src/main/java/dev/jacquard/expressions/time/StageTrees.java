package dev.jacquard.expressions.time;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.tree.Deviation;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Parameters;
import dev.jacquard.expressions.tree.TreeRuns;
import dev.jacquard.expressions.tree.TreeStage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The trees of the stages of a step, with their numbers, and the graphs that are recorded of them. */
final class StageTrees {
    private final Problem problem;
    private final FieldStore fields;
    private final List<ExpressionTree> trees = new ArrayList<>();
    private final List<Parameters> numbers = new ArrayList<>();
    private final List<Tag<?>> advancing;
    /** The fields that the last stage gives, in the order of the fields that advance. */
    private final List<Tag<?>> after = new ArrayList<>();
    /** How far these are from the companion's, in the same order; none if lengths are given. */
    private final List<Deviation> deviations = new ArrayList<>();

    StageTrees(Problem problem, FieldStore fields) {
        this.problem = problem;
        this.fields = fields;
        advancing = List.copyOf(problem.rates().keySet());
        Map<String, Double> values = new LinkedHashMap<>(problem.parameters());
        values.put(Problem.TIME, 0.0);
        values.put(Problem.STEP, 0.0);
        int count = problem.method().count();
        for (int i = 0; i < count; i++) {
            ExpressionTree stage = TreeStage.inStore(problem.stage(i), fields);
            problem.requireFilledGhosts(stage, i);
            trees.add(stage);
            numbers.add(Parameters.of(values));
        }
        if (problem.tolerance() > 0) {
            advancing.forEach(any -> deviations.add(Deviation.in(fields)));
            trees.add(problem.watched(trees.removeLast(), deviations));
        }
        advancing.forEach(tag -> after.add(problem.after(count - 1, tag)));
        for (int i = 0; !problem.swaps() && i < after.size(); i++) {
            fields.alias(after.get(i), advancing.get(i));
        }
    }

    List<ExpressionTree> trees() {
        return List.copyOf(trees);
    }

    /** Returns the numbers of each stage. */
    List<Parameters> numbers() {
        return numbers;
    }

    List<Deviation> deviations() {
        return deviations;
    }

    /** Returns the fields that have a second name: where steps do not swap, the fields that the last stage gives. */
    List<Tag<?>> otherNames() {
        return problem.swaps() ? List.of() : after;
    }

    /** Returns the fields that stay between steps. */
    Set<Tag<?>> staying() {
        Set<Tag<?>> staying = new LinkedHashSet<>(advancing);
        trees.forEach(stage -> staying.addAll(stage.memory().persistent()));
        return staying;
    }

    /** Sets the numbers of a step. */
    void set(double time, double length) {
        for (int i = 0; i < trees.size(); i++) {
            Stage stage = problem.method().stage(i);
            numbers.get(i).set(Problem.STEP, stage.length() * length);
            numbers.get(i).set(Problem.TIME, time + stage.time() * length);
        }
    }

    /** Makes the results of the last stage the fields that advance. */
    void swap() {
        for (int i = 0; i < after.size(); i++) {
            fields.swap(advancing.get(i), after.get(i));
        }
    }

    /** Records the graphs of a step. */
    Steps graphs() {
        TargetPolicy policy = problem.targets();
        Steps graphs = policy == null ? recorded() : assigned(policy);
        trees.forEach(stage -> problem.requireOneName(stage, fields));
        return graphs;
    }

    private Steps recorded() {
        List<CompiledGraph> all = new ArrayList<>(List.of(record()));
        if (problem.swaps()) {
            swap();
            all.add(record());
            swap();
        }
        boolean inTurn =
                problem.tree().scheduler().filter(Scheduler.TOPOLOGICAL::equals).isPresent();
        int workers = fields.session().workers();
        long points = fields.grid().interior(Centring.CELL).points();
        return new Steps.Recorded(all, new ThreadSizing(all, workers, points, inTurn), fields.loops());
    }

    private CompiledGraph record() {
        return fields.session().record("step", graph -> {
            problem.tree().scheduler().ifPresent(graph::scheduler);
            all().forEach(stage -> stage.submit(fields, graph));
        });
    }

    private List<TreeStage> all() {
        List<TreeStage> all = new ArrayList<>();
        for (int i = 0; i < trees.size(); i++) {
            int number = i;
            all.add(new TreeStage(trees.get(i), numbers.get(i), () -> problem.boundaries(number, fields)));
        }
        return all;
    }

    private Steps assigned(TargetPolicy policy) {
        List<Tag<?>> home = new ArrayList<>(); // where the next step fills their ghosts
        if (!problem.isResident()) {
            problem.boundaries().keySet().forEach(tag -> home.add(problem.after(trees.size() - 1, tag)));
        }
        TreeRuns runs = TreeRuns.of(fields, all(), home, policy);
        runs.eligible(); // reports here, and not in the first step, an expression that cannot be computed
        return new Steps.Assigned(runs, fields.session().workers());
    }
}
