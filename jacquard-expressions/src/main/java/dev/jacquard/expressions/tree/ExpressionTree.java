package dev.jacquard.expressions.tree;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The expressions that some fields need, in an order in which they can be computed. An expression that only one other
 * needs, and that is not wanted itself, is computed inside the loop of that one; so is one whose ghosts another reads,
 * since only the fields that the caller sets have ghosts. All bits are the same either way. Immutable.
 *
 * <p>Threads: any.
 *
 * <p>Source: the expressions thesis, sections 2.2.3 and 3.1.2 (expression tree, execution graph).
 */
public final class ExpressionTree {
    /** The outcomes for an expression. */
    public enum Fate {
        /** A loop of its own writes a field. */
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
    private final Map<Tag<?>, Computation> definitions;

    private final Set<Tag<?>> roots;
    private final Options options;
    private final Fusion fusion;
    private final MemoryPlan memory;

    /**
     * The choices of the user.
     *
     * @param fuses false to store what could be computed inside another loop
     * @param policy how temporaries get memory
     * @param kept temporaries that have memory of their own, and are stored in any case
     * @param tile the points along x, y and z that loops compute at a time; empty for as many as suit them
     * @param scheduler orders the tasks of recorded graphs; null for none
     */
    private record Options(
            boolean fuses,
            Policy policy,
            Set<Tag<?>> kept,
            Loops.Form form,
            List<Integer> tile,
            @Nullable Scheduler scheduler) {
        static final Options NONE = new Options(true, Policy.DYNAMIC, Set.of(), Loops.Form.AUTO, List.of(), null);
    }

    /** @param definitions operands first */
    ExpressionTree(Grid grid, Map<Tag<?>, Computation> definitions, Set<Tag<?>> roots) {
        this(grid, definitions, roots, Options.NONE);
    }

    private ExpressionTree(Grid grid, Map<Tag<?>, Computation> definitions, Set<Tag<?>> roots, Options options) {
        this.grid = grid;
        this.definitions = definitions;
        this.roots = roots;
        this.options = options;
        Set<Tag<?>> seen = new LinkedHashSet<>(options.policy == Policy.KEEP ? definitions.keySet() : roots);
        seen.addAll(options.kept);
        this.fusion = new Fusion(grid, definitions, roots, seen, options.fuses);
        this.memory = new MemoryPlan(grid, options.policy, fusion.stored(), seen);
    }

    /**
     * Returns the tree with a field for every expression, but where others read its ghosts.
     *
     * @param fuses false to store what could be computed inside another loop
     */
    public ExpressionTree fuse(boolean fuses) {
        return with(new Options(fuses, options.policy, options.kept, options.form, options.tile, options.scheduler));
    }

    /** Returns the tree with another rule by which temporaries get memory. */
    public ExpressionTree fields(Policy policy) {
        return with(new Options(
                options.fuses,
                Objects.requireNonNull(policy, "policy"),
                options.kept,
                options.form,
                options.tile,
                options.scheduler));
    }

    /**
     * Returns the tree with these fields stored in memory of their own, so that their values can be looked at.
     *
     * @throws IllegalArgumentException if the tree computes no such field
     */
    public ExpressionTree keep(Tag<?>... tags) {
        Set<Tag<?>> kept = new LinkedHashSet<>(options.kept);
        for (Tag<?> tag : tags) {
            if (!definitions.containsKey(tag)) {
                throw new IllegalArgumentException("the tree computes no \"" + tag + "\" that it could keep, but "
                        + definitions.keySet()
                        + NearestName.hint(
                                tag.name(),
                                definitions.keySet().stream().map(Tag::name).toList()));
            }
            kept.add(tag);
        }
        return with(new Options(options.fuses, options.policy, kept, options.form, options.tile, options.scheduler));
    }

    /** Returns the tree with loops of some form: all compute the same bits. */
    public ExpressionTree loops(Loops.Form form) {
        return with(new Options(
                options.fuses,
                options.policy,
                options.kept,
                Objects.requireNonNull(form, "form"),
                options.tile,
                options.scheduler));
    }

    /**
     * Returns the tree with loops that compute a box of points at a time, which is a part that a worker may take: all
     * bits are the same. Along x it is as long as is said or a little longer, so that it ends with whole vectors.
     *
     * @param points the size of the box along x, y and z, for as many dimensions as the grid has; none for what suits
     */
    public ExpressionTree tile(int... points) {
        boolean fits = points.length == 0 || points.length == grid.dimensions();
        if (!fits || Arrays.stream(points).anyMatch(count -> count < 1)) {
            throw new IllegalArgumentException("a tile on " + grid + " has " + grid.dimensions()
                    + " numbers of points from 1 on, not " + Arrays.toString(points));
        }
        List<Integer> tile = Arrays.stream(points).boxed().toList();
        return with(new Options(options.fuses, options.policy, options.kept, options.form, tile, options.scheduler));
    }

    /**
     * Returns the tree with a scheduler of its own, which orders the tasks of the graphs that are recorded from it,
     * whatever the session's policy is: all bits are the same. Tasks that are submitted live go by that policy.
     */
    public ExpressionTree scheduler(Scheduler scheduler) {
        return with(new Options(
                options.fuses,
                options.policy,
                options.kept,
                options.form,
                options.tile,
                Objects.requireNonNull(scheduler, "scheduler")));
    }

    /** Returns the scheduler of the graphs that are recorded from the tree; empty for the session's policy alone. */
    public Optional<Scheduler> scheduler() {
        return Optional.ofNullable(options.scheduler);
    }

    private ExpressionTree with(Options others) {
        return new ExpressionTree(grid, definitions, roots, others);
    }

    /**
     * Returns the tree that computes other fields, which need some of this tree's, with the same choices.
     *
     * @param wanted their expressions, by the names that fields have in the new tree
     * @param names the name that each field has there: of another field to read, and to compute, in its place
     */
    public ExpressionTree derive(Map<? extends Tag<?>, ? extends Expr<?>> wanted, UnaryOperator<Tag<?>> names) {
        ExpressionTree tree = Model.derived(grid, definitions, names, wanted).tree(List.copyOf(wanted.keySet()));
        Set<Tag<?>> kept = new LinkedHashSet<>();
        options.kept.stream()
                .<Tag<?>>map(names)
                .filter(tree.definitions::containsKey)
                .forEach(kept::add);
        return tree.with(
                new Options(options.fuses, options.policy, kept, options.form, options.tile, options.scheduler));
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
     * Returns the formulas of fields that the tree computes, as they were defined, operands first. What loops of the
     * user's compute has none.
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

    /** Returns what became of each expression, operands first. */
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
     * Returns the graph of the tasks, for {@code GraphDrawing} and analysis: from the fields that the caller sets, by
     * what computes a field to what reads it. Formulas that are computed inside a loop are inside its box; names end
     * with the memory that temporaries share.
     */
    public GraphSnapshot taskGraph() {
        return new TreeGraph(definitions, fusion, memory, roots).tasks();
    }

    /**
     * Returns the transpose of {@link #taskGraph()}: from the wanted fields, by what reads a field to what computes it.
     */
    public GraphSnapshot dependencyGraph() {
        return new TreeGraph(definitions, fusion, memory, roots).dependencies();
    }

    /** Returns the fields that are stored, with their loops, operands first. */
    public List<Assignment> assignments(FieldStore fields, Loops.Form form) {
        Objects.requireNonNull(form, "form");
        if (!fields.grid().equals(grid)) {
            throw new IllegalArgumentException("the tree is for " + grid + ", and the fields are on " + fields.grid());
        }
        Tag<?>[] external = definitions.keySet().stream()
                .filter(tag -> fields.isExternal(tag) && !roots.contains(tag) && !options.kept.contains(tag))
                .toArray(Tag[]::new);
        if (external.length > 0) { // the user gave memory for them, to look at them
            return keep(external).assignments(fields, form);
        }
        fusion.fates().forEach((tag, fate) -> fields.setUnstored(tag, reason(tag, fate)));
        List<Assignment> all = new ArrayList<>();
        for (Computation one : memory.steps()) {
            all.add(one.assignment(fields, (tag, axis) -> field(fields, tag, axis), form, options.tile));
        }
        return all;
    }

    /** Returns the reason why a field has no values that can be looked at; null if it has. */
    private @Nullable String reason(Tag<?> tag, Fate fate) {
        return fate == Fate.FUSED
                ? "is computed inside the loops that need it"
                : memory.place(tag, 0) >= 0 ? "is in memory that other temporaries use, too" : null;
    }

    private Field field(FieldStore fields, Tag<?> tag, int axis) {
        int place = memory.place(tag, axis);
        return place < 0 ? fields.field(tag, axis) : fields.shared(tag, axis, place, memory.centrings());
    }

    /** Submits tasks that compute all fields, of expressions without parameters. */
    public void submit(FieldStore fields, Tasks graph) {
        submit(fields, graph, Map.of());
    }

    /**
     * Submits tasks that compute all fields.
     *
     * @param parameters the numbers of this run, by name
     * @throws IllegalArgumentException if the grid has too few ghost layers, or if a parameter is missing, or there is
     *     one that no expression has
     */
    public void submit(FieldStore fields, Tasks graph, Map<String, Double> parameters) {
        List<Assignment> all = assignments(fields, options.form);
        Parameters its = Parameters.fixed(parameters);
        Set<String> known = new LinkedHashSet<>();
        all.forEach(assignment -> known.addAll(assignment.parameters()));
        its.require(known);
        all.forEach(assignment -> assignment.submit(graph, its));
    }

    /**
     * Submits tasks that compute all fields, with numbers that may change between the runs of a recorded graph.
     *
     * @param parameters all that the expressions have, and perhaps more
     * @throws IllegalArgumentException if the grid has too few ghost layers, or if a parameter is missing
     */
    public void submit(FieldStore fields, Tasks graph, Parameters parameters) {
        assignments(fields, options.form).forEach(assignment -> assignment.submit(graph, parameters));
    }

    /** Records the tasks that compute all fields, of expressions without parameters, to be run again and again. */
    public CompiledGraph compile(FieldStore fields) {
        return compile(fields, Map.of());
    }

    /**
     * Records the tasks that compute all fields, to be run again and again with the same numbers; see {@link #submit}.
     */
    public CompiledGraph compile(FieldStore fields, Map<String, Double> parameters) {
        return fields.session().record(graph -> {
            scheduler().ifPresent(graph::scheduler);
            submit(fields, graph, parameters);
        });
    }

    /** Returns each expression on a line, with what became of it and what it reads. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        fusion.fates().forEach((tag, fate) -> {
            String how = switch (fate) {
                case STORED ->
                    roots.contains(tag)
                            ? "wanted"
                            : memory.place(tag, 0) >= 0 ? "in shared memory" : "in a field of its own";
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
