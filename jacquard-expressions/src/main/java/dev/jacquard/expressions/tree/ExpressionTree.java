package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The expressions that some fields need, in an order in which they can be computed. An expression that only one other
 * needs, and that is not wanted itself, is computed inside the loop of that one; so is one with ghosts that another
 * reads, since only the fields that the caller sets have ghosts. All bits are the same either way. Immutable.
 *
 * <p>Threads: any.
 *
 * <p>Source: the expressions thesis, sections 2.2.3 and 3.1.2 (expression tree, execution graph).
 */
public final class ExpressionTree {
    /** The outcomes for an expression. */
    public enum Fate {
        /** A separate loop writes a field. */
        STORED,
        /** It is computed in the loops that need it. */
        FUSED,
        /**
         * It is stored, since it is wanted or several need it, and computed in other loops that read its ghosts, too.
         */
        BOTH
    }

    private final Grid grid;
    /** The computation of each field, operands first. */
    final Map<Tag<?>, Computation> definitions;

    final Set<Tag<?>> roots;
    final TreeOptions options;
    /** The formulas that are written in expressions, also where nothing is left of them. */
    final Set<String> parameters = new LinkedHashSet<>();

    private final Fusion fusion;
    private final MemoryPlan memory;

    /** @param definitions operands first */
    ExpressionTree(Grid grid, Map<Tag<?>, Computation> definitions, Set<Tag<?>> roots) {
        this(grid, definitions, roots, TreeOptions.DEFAULT);
    }

    ExpressionTree(Grid grid, Map<Tag<?>, Computation> definitions, Set<Tag<?>> roots, TreeOptions options) {
        this.grid = grid;
        this.definitions = definitions;
        this.roots = roots;
        this.options = options;
        definitions.values().forEach(one -> parameters.addAll(one.parameters()));
        Set<Tag<?>> seen = new LinkedHashSet<>(options.policy() == Policy.KEEP ? definitions.keySet() : roots);
        seen.addAll(options.kept());
        this.fusion = new Fusion(grid, definitions, roots, seen, options.fuses());
        this.memory = new MemoryPlan(grid, options.policy(), fusion.stored(), seen);
    }

    /**
     * Returns the tree with a field for every expression, but where others read its ghosts.
     *
     * @param fuses false to store fields that could be computed inside another loop
     */
    public ExpressionTree fuse(boolean fuses) {
        return new ExpressionTree(grid, definitions, roots, options.fuse(fuses));
    }

    /** Returns the tree with another rule by which temporaries get memory. */
    public ExpressionTree fields(Policy policy) {
        return new ExpressionTree(grid, definitions, roots, options.fields(Objects.requireNonNull(policy, "policy")));
    }

    /**
     * Returns the tree with these fields stored in memory of their own, so that their values can be looked at.
     *
     * @throws IllegalArgumentException if the tree computes no such field
     */
    public ExpressionTree keep(Tag<?>... tags) {
        Set<Tag<?>> kept = new LinkedHashSet<>(options.kept());
        for (Tag<?> tag : tags) {
            TreeOptions.requireKnown(definitions.keySet(), tag, "keep");
            kept.add(tag);
        }
        return new ExpressionTree(grid, definitions, roots, options.keep(kept));
    }

    /**
     * Returns the tree with expressions assigned to a target, and all others to where their fields live, or else to the
     * host. The computation of a field is followed by prefetches to every other target on which an expression reads it.
     * All bits are the same, wherever an expression is computed.
     *
     * <p>A formula that is computed inside another loop is computed where that loop is; to assign the formula assigns
     * the loop.
     *
     * @param target the host, a device, or a kind of devices, of which the first in service is taken
     * @throws IllegalArgumentException if the tree computes no such field. The submission throws it if one loop is
     *     assigned to two targets, or a loop of the user's to a device; and an {@link IllegalStateException} if the
     *     session has no such target
     */
    public ExpressionTree on(ExecutionTarget target, Tag<?>... tags) {
        Map<Tag<?>, ExecutionTarget> targets = new LinkedHashMap<>();
        for (Tag<?> tag : tags) {
            targets.put(tag, target);
        }
        return on(targets);
    }

    /** Returns the tree with expressions assigned to targets, like {@link #on(ExecutionTarget, Tag...)}. */
    public ExpressionTree on(Map<? extends Tag<?>, ExecutionTarget> targets) {
        targets.forEach((tag, target) -> {
            Objects.requireNonNull(target, "target");
            TreeOptions.requireKnown(definitions.keySet(), tag, "assign to " + target);
        });
        return new ExpressionTree(grid, definitions, roots, options.on(targets));
    }

    /**
     * Returns the tree with each field in two slabs along the last axis, of which the host computes the lower one and a
     * device the upper one. Each stays where it is computed until it is read elsewhere; of fields that are read at
     * neighbours, the layers between the slabs are all that moves. All bits are the same. Loops of the user's are the
     * host's, as a whole.
     *
     * @param device a device, or a kind of devices, of which the first in service is taken
     * @param share the part of the layers that the device computes, above 0 and below 1; rounded to whole layers
     * @throws IllegalArgumentException if the share is not within 0 and 1. The submission throws it if a slab is
     *     thinner than the part that a loop reads of it; and an {@link IllegalStateException} if the session has no
     *     such device
     */
    public ExpressionTree split(ExecutionTarget device, double share) {
        return new ExpressionTree(grid, definitions, roots, options.split(new Split(device, share)));
    }

    /** Returns the tree with loops of some form: all compute the same bits. */
    public ExpressionTree loops(Loops.Form form) {
        return new ExpressionTree(grid, definitions, roots, options.loops(Objects.requireNonNull(form, "form")));
    }

    /**
     * Returns the tree with loops that compute a box of points at a time, which is a part that a worker may take: all
     * bits are the same. Along x it is as long as is said or a little longer, so that it ends with whole vectors.
     *
     * @param points the size of the box along x, y and z, for as many dimensions as the grid has; none for a size that
     *     suits
     */
    public ExpressionTree tile(int... points) {
        boolean fits = points.length == 0 || points.length == grid.dimensions();
        if (!fits || Arrays.stream(points).anyMatch(count -> count < 1)) {
            throw new IllegalArgumentException("a tile on " + grid + " has " + grid.dimensions()
                    + " numbers of points from 1 on, not " + Arrays.toString(points));
        }
        List<Integer> tile = Arrays.stream(points).boxed().toList();
        return new ExpressionTree(grid, definitions, roots, options.tile(tile));
    }

    /**
     * Returns the tree with its own scheduler, which orders the tasks of the graphs that are recorded from it, whatever
     * the session's policy is: all bits are the same. Tasks that are submitted live go by that policy.
     */
    public ExpressionTree scheduler(Scheduler scheduler) {
        return new ExpressionTree(
                grid, definitions, roots, options.scheduler(Objects.requireNonNull(scheduler, "scheduler")));
    }

    /** Returns the scheduler of the graphs that are recorded from the tree; empty for the session's policy alone. */
    public Optional<Scheduler> scheduler() {
        return Optional.ofNullable(options.scheduler());
    }

    /**
     * Returns the tree that computes other fields, which need some of this tree's, with the same choices.
     *
     * @param wanted their expressions, by the names that fields have in the new tree
     * @param names the name that each field has there: of another field to read, and to compute, in its place
     */
    public ExpressionTree derive(Map<? extends Tag<?>, ? extends Expr<?>> wanted, UnaryOperator<Tag<?>> names) {
        ExpressionTree tree = Model.derived(grid, definitions, names, wanted).tree(List.copyOf(wanted.keySet()));
        return new ExpressionTree(
                grid, tree.definitions, tree.roots, options.renamed(names, tree.definitions.keySet()));
    }

    /** Returns the number of ghost layers that the loops read of a field, which the caller, or boundaries, fill. */
    public int ghosts(Tag<?> tag) {
        return memory.steps().stream()
                .mapToInt(one -> one.ghostsRead(grid, tag))
                .max()
                .orElse(0);
    }

    /** Returns the memory that the fields take. */
    public MemoryPlan memory() {
        return memory;
    }

    /**
     * Returns the number of loops that compute all fields: one for each that is stored, and each of its components; of
     * the fields of an expression of the user's, one for all.
     */
    public int loops() {
        return memory.steps().stream().mapToInt(one -> one.loops(grid)).sum();
    }

    /** Returns the bytes that the loops read and write, each element once in each loop. */
    public long movedBytes() {
        return memory.steps().stream().mapToLong(one -> one.movedBytes(grid)).sum();
    }

    /** Returns the grid of all fields. */
    public Grid grid() {
        return grid;
    }

    /**
     * Returns the formulas of fields that the tree computes, as they were defined, operands first. A field that a loop
     * of the user computes has none.
     */
    public Map<Tag<?>, Expr<?>> definitions() {
        Map<Tag<?>, Expr<?>> formulas = new LinkedHashMap<>();
        definitions.forEach((tag, its) -> {
            Expr<?> formula = its.formula();
            if (formula != null) {
                formulas.put(tag, formula);
            }
        });
        return formulas;
    }

    /** Returns the outcome of each expression, operands first. */
    public Map<Tag<?>, Fate> fates() {
        return new LinkedHashMap<>(fusion.fates());
    }

    /** Returns the fields that each expression reads, operands first: the dependency graph. */
    public Map<Tag<?>, Set<Tag<?>>> dependencies() {
        Map<Tag<?>, Set<Tag<?>>> reads = new LinkedHashMap<>();
        definitions.forEach((tag, its) -> reads.put(tag, its.reads()));
        return reads;
    }

    /**
     * Returns the graph of the tasks, for {@code GraphDrawing} and analysis: from the fields that the caller sets, with
     * edges from the computation of a field to its readers. Formulas that are computed inside a loop are inside its
     * box; names end with the memory that temporaries share.
     */
    public GraphSnapshot taskGraph() {
        return new TreeGraph(definitions, fusion, memory, roots).tasks();
    }

    /**
     * Returns the transpose of {@link #taskGraph()}: from the wanted fields, with edges from the readers of a field to
     * its computation.
     */
    public GraphSnapshot dependencyGraph() {
        return new TreeGraph(definitions, fusion, memory, roots).dependencies();
    }

    /** Returns the fields that are stored, with their loops, operands first. */
    public List<Assignment> assignments(FieldStore fields, Loops.Form form) {
        Objects.requireNonNull(form, "form");
        return loops(form).units(fields, fields.pool().live()).stream()
                .map(TreeTasks.Unit::assignment)
                .toList();
    }

    /**
     * Returns the computations that have their own loops, with their fields, operands first.
     *
     * @param temporaries the memory of fields that do not stay
     */
    List<TreeTasks.Unit> units(FieldStore fields, Temporaries temporaries) {
        ExpressionTree its = TreeStage.inStore(this, fields);
        return new TreeTasks(its, definitions.keySet(), roots, its.options, its.fusion, its.memory)
                .units(fields, temporaries);
    }

    /** Submits tasks that compute all fields, of expressions without parameters. */
    public void submit(FieldStore fields, Tasks graph) {
        submit(fields, graph, Map.of());
    }

    /**
     * Submits tasks that compute all fields.
     *
     * @param parameters the numbers of this run, by name: all that are written in the expressions, whatever is left of
     *     these
     * @throws IllegalArgumentException if the grid has too few ghost layers, or if a parameter is missing, or there is
     *     one that no expression has
     */
    public void submit(FieldStore fields, Tasks graph, Map<String, Double> parameters) {
        Parameters its = Parameters.fixed(parameters);
        its.requireOnly(this.parameters);
        submit(fields, graph, its);
    }

    /**
     * Submits tasks that compute all fields, with numbers that may change between the runs of a recorded graph.
     *
     * @param parameters all that the expressions have, and perhaps more
     * @throws IllegalArgumentException if the grid has too few ghost layers, or if a parameter is missing
     */
    public void submit(FieldStore fields, Tasks graph, Parameters parameters) {
        parameters.requireAll(this.parameters, fields.grid().type());
        Temporaries temporaries = fields.pool().of(graph);
        TreeTasks.submit(units(fields, temporaries), options.split(), fields.session(), graph, parameters);
        temporaries.submitted(graph);
    }

    /** Records the tasks that compute all fields, of expressions without parameters, to be run again and again. */
    public CompiledGraph compile(FieldStore fields) {
        return compile(fields, Map.of());
    }

    /**
     * Records the tasks that compute all fields, to be run again and again with the same numbers; see {@link #submit}.
     */
    public CompiledGraph compile(FieldStore fields, Map<String, Double> parameters) {
        CompiledGraph graph = fields.session().record(tasks -> {
            scheduler().ifPresent(tasks::scheduler);
            submit(fields, tasks, parameters);
        });
        fields.loops().awaitWarm();
        return graph;
    }

    /** Returns each expression on a line, with its outcome and the fields that it reads. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        fusion.fates().forEach((tag, fate) -> {
            String how = switch (fate) {
                case STORED ->
                    roots.contains(tag)
                            ? "wanted"
                            : memory.place(tag, 0) >= 0 ? "in shared memory" : "in its own field";
                case FUSED -> "computed inside the loops that need it";
                case BOTH -> "stored, and computed inside the loops that read its ghosts";
            };
            text.append(tag)
                    .append(": ")
                    .append(how)
                    .append("; reads ")
                    .append(Objects.requireNonNull(definitions.get(tag)).reads())
                    .append('\n');
        });
        return text.append(memory).append('\n').toString();
    }
}
