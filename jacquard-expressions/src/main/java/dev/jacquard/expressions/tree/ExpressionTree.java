package dev.jacquard.expressions.tree;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private final Map<Tag<?>, Expr<?>> expressions;
    private final Set<Tag<?>> roots;
    private final Map<Tag<?>, Set<Tag<?>>> reads;
    private final Options options;
    private final Map<Tag<?>, Fate> fates = new LinkedHashMap<>();
    /** The expressions of the fields that are stored, with those that are fused in their places. */
    private final Map<Tag<?>, Expr<?>> stored = new LinkedHashMap<>();

    private final MemoryPlan memory;

    /**
     * The choices of the user.
     *
     * @param fuses false to store what could be computed inside another loop
     * @param policy how temporaries get memory
     * @param kept temporaries that have memory of their own, and are stored in any case
     */
    private record Options(boolean fuses, Policy policy, Set<Tag<?>> kept, Loops.Form form) {}

    /** @param expressions operands first */
    ExpressionTree(Grid grid, Map<Tag<?>, Expr<?>> expressions, Set<Tag<?>> roots, Map<Tag<?>, Set<Tag<?>>> reads) {
        this(grid, expressions, roots, reads, new Options(true, Policy.DYNAMIC, Set.of(), Loops.Form.AUTO));
    }

    private ExpressionTree(
            Grid grid,
            Map<Tag<?>, Expr<?>> expressions,
            Set<Tag<?>> roots,
            Map<Tag<?>, Set<Tag<?>>> reads,
            Options options) {
        this.grid = grid;
        this.expressions = expressions;
        this.roots = roots;
        this.reads = reads;
        this.options = options;
        Set<Tag<?>> seen = new LinkedHashSet<>(options.policy == Policy.KEEP ? expressions.keySet() : roots);
        seen.addAll(options.kept);
        Map<Tag<?>, Integer> consumers = new HashMap<>();
        reads.values().forEach(all -> all.forEach(tag -> consumers.merge(tag, 1, Integer::sum)));
        Set<Tag<?>> alone = new LinkedHashSet<>();
        if (options.fuses) {
            expressions.keySet().stream()
                    .filter(tag -> !seen.contains(tag) && consumers.getOrDefault(tag, 0) == 1)
                    .forEach(alone::add);
        }
        expressions.forEach((tag, expression) -> {
            fates.put(tag, alone.contains(tag) ? Fate.FUSED : Fate.STORED);
            if (!alone.contains(tag)) {
                stored.put(tag, resolved(tag, expression, alone));
            }
        });
        forget(seen);
        Map<Tag<?>, Set<Tag<?>>> read = new LinkedHashMap<>();
        stored.forEach((tag, expression) -> read.put(tag, expression.reads()));
        this.memory = new MemoryPlan(grid, options.policy, read, seen);
    }

    /**
     * Returns the expression with those in the place of fields that have no field, or no ghosts where some are read.
     */
    private <L extends Location> Expr<L> resolved(Tag<?> target, Expr<L> expression, Set<Tag<?>> alone) {
        Set<Tag<?>> inside = new LinkedHashSet<>(alone);
        while (true) {
            Expr<L> its = expression.inline(tag -> inside.contains(tag) ? expressions.get(tag) : null);
            Set<Tag<?>> more = new LinkedHashSet<>();
            for (Lowering.Plan plan : plans(target, its)) {
                for (int i = 0; i < plan.inputs().size(); i++) {
                    Tag<?> tag = plan.inputs().get(i).tag();
                    if (expressions.containsKey(tag) && plan.ghosts(i, grid) > 0) {
                        more.add(tag);
                    }
                }
            }
            if (!inside.addAll(more)) {
                return its;
            }
            more.forEach(tag -> fates.put(tag, Fate.BOTH));
        }
    }

    @SuppressWarnings("unchecked") // a definition has the location of its tag
    private <L extends Location> List<Lowering.Plan> plans(Tag<?> target, Expr<L> expression) {
        return Lowering.loops(grid, ((Tag<L>) target).location(), expression);
    }

    /** Leaves out stored fields that nothing reads any more, since all that need them compute them inside. */
    private void forget(Set<Tag<?>> seen) {
        Set<Tag<?>> needed = new HashSet<>(seen);
        for (Tag<?> tag : List.copyOf(stored.keySet()).reversed()) { // what reads a field comes behind it
            if (needed.contains(tag)) {
                needed.addAll(Objects.requireNonNull(stored.get(tag)).reads());
            } else {
                stored.remove(tag);
                fates.put(tag, Fate.FUSED);
            }
        }
    }

    /**
     * Returns the tree with a field for every expression, but where others read its ghosts.
     *
     * @param fuses false to store what could be computed inside another loop
     */
    public ExpressionTree fuse(boolean fuses) {
        return with(new Options(fuses, options.policy, options.kept, options.form));
    }

    /** Returns the tree with another rule by which temporaries get memory. */
    public ExpressionTree fields(Policy policy) {
        return with(new Options(options.fuses, Objects.requireNonNull(policy, "policy"), options.kept, options.form));
    }

    /**
     * Returns the tree with these fields stored in memory of their own, so that their values can be looked at.
     *
     * @throws IllegalArgumentException if the tree computes no such field
     */
    public ExpressionTree keep(Tag<?>... tags) {
        Set<Tag<?>> kept = new LinkedHashSet<>(options.kept);
        for (Tag<?> tag : tags) {
            if (!expressions.containsKey(tag)) {
                throw new IllegalArgumentException("the tree computes no \"" + tag + "\" that it could keep, but "
                        + expressions.keySet()
                        + NearestName.hint(
                                tag.name(),
                                expressions.keySet().stream().map(Tag::name).toList()));
            }
            kept.add(tag);
        }
        return with(new Options(options.fuses, options.policy, kept, options.form));
    }

    /** Returns the tree with loops of some form: all compute the same bits. */
    public ExpressionTree loops(Loops.Form form) {
        return with(new Options(options.fuses, options.policy, options.kept, Objects.requireNonNull(form, "form")));
    }

    private ExpressionTree with(Options others) {
        return new ExpressionTree(grid, expressions, roots, reads, others);
    }

    /**
     * Returns the tree that computes other fields, which need some of this tree's, with the same choices.
     *
     * @param wanted their expressions, by the names that fields have in the new tree
     * @param names the name that each field has there: of another field to read, and to compute, in its place
     */
    public ExpressionTree derive(Map<? extends Tag<?>, ? extends Expr<?>> wanted, UnaryOperator<Tag<?>> names) {
        ExpressionTree tree = Model.derived(grid, expressions, names, wanted).tree(List.copyOf(wanted.keySet()));
        Set<Tag<?>> kept = new LinkedHashSet<>();
        options.kept.stream()
                .<Tag<?>>map(names)
                .filter(tree.expressions::containsKey)
                .forEach(kept::add);
        return tree.with(new Options(options.fuses, options.policy, kept, options.form));
    }

    /** Returns the number of ghost layers that the loops read of a field, which the caller, or boundaries, fill. */
    public int ghosts(Tag<?> tag) {
        int layers = 0;
        for (Map.Entry<Tag<?>, Expr<?>> its : stored.entrySet()) {
            for (Lowering.Plan plan : plans(its.getKey(), its.getValue())) {
                for (int i = 0; i < plan.inputs().size(); i++) {
                    layers = plan.inputs().get(i).tag().equals(tag) ? Math.max(layers, plan.ghosts(i, grid)) : layers;
                }
            }
        }
        return layers;
    }

    /** Returns the memory that the fields take. */
    public MemoryPlan memory() {
        return memory;
    }

    /** Returns the number of loops that compute all fields: one for each that is stored, and each of its components. */
    public int loops() {
        return stored.keySet().stream()
                .mapToInt(tag -> tag.isVector() ? grid.dimensions() : 1)
                .sum();
    }

    /** Returns the bytes that the loops read and write, each element once in each loop. */
    public long movedBytes() {
        long bytes = 0;
        for (Map.Entry<Tag<?>, Expr<?>> its : stored.entrySet()) {
            for (Lowering.Plan plan : plans(its.getKey(), its.getValue())) {
                bytes += (plan.inputs().size() + 1)
                        * grid.interior(plan.centring()).points()
                        * grid.type().bytes();
            }
        }
        return bytes;
    }

    /** Returns the grid of all fields. */
    public Grid grid() {
        return grid;
    }

    /** Returns the expressions of all fields that the tree computes, as they were defined, operands first. */
    public Map<Tag<?>, Expr<?>> definitions() {
        return new LinkedHashMap<>(expressions);
    }

    /** Returns what became of each expression, operands first. */
    public Map<Tag<?>, Fate> fates() {
        return new LinkedHashMap<>(fates);
    }

    /** Returns the fields that each expression reads, operands first: the dependency graph. */
    public Map<Tag<?>, Set<Tag<?>>> dependencies() {
        return new LinkedHashMap<>(reads);
    }

    /** Returns the fields that are stored, with their loops, operands first. */
    public List<Assignment> assignments(FieldStore fields, Loops.Form form) {
        Objects.requireNonNull(form, "form");
        if (!fields.grid().equals(grid)) {
            throw new IllegalArgumentException("the tree is for " + grid + ", and the fields are on " + fields.grid());
        }
        fates.forEach((tag, fate) -> fields.setUnstored(tag, reason(tag, fate)));
        List<Assignment> all = new ArrayList<>();
        for (Tag<?> tag : memory.order()) {
            all.add(assignment(fields, tag, Objects.requireNonNull(stored.get(tag)), form));
        }
        return all;
    }

    /** Returns the reason why a field has no values that can be looked at; null if it has. */
    private @Nullable String reason(Tag<?> tag, Fate fate) {
        return fate == Fate.FUSED
                ? "is computed inside the loops that need it"
                : memory.place(tag, 0) >= 0 ? "is in memory that other temporaries use, too" : null;
    }

    @SuppressWarnings("unchecked") // a definition has the location of its tag
    private <L extends Location> Assignment assignment(
            FieldStore fields, Tag<?> tag, Expr<L> expression, Loops.Form form) {
        return Assignment.of(fields, (its, axis) -> field(fields, its, axis), (Tag<L>) tag, expression, form);
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
        return fields.session().record(graph -> submit(fields, graph, parameters));
    }

    /** Returns each expression on a line, with what became of it and what it reads. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        fates.forEach((tag, fate) -> {
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
                    .append(reads.get(tag))
                    .append('\n');
        });
        return text.append(memory).append('\n').toString();
    }
}
