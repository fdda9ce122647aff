package dev.jacquard.expressions.tree;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Substitution;
import dev.jacquard.expressions.language.Tag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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
    private final Map<Tag<?>, Fate> fates = new LinkedHashMap<>();
    /** The expressions of the fields that are stored, with those that are fused in their places. */
    private final Map<Tag<?>, Expr<?>> stored = new LinkedHashMap<>();

    /** @param expressions operands first */
    ExpressionTree(Grid grid, Map<Tag<?>, Expr<?>> expressions, Set<Tag<?>> roots, Map<Tag<?>, Set<Tag<?>>> reads) {
        this(grid, expressions, roots, reads, true);
    }

    private ExpressionTree(
            Grid grid,
            Map<Tag<?>, Expr<?>> expressions,
            Set<Tag<?>> roots,
            Map<Tag<?>, Set<Tag<?>>> reads,
            boolean fuses) {
        this.grid = grid;
        this.expressions = expressions;
        this.roots = roots;
        this.reads = reads;
        Map<Tag<?>, Integer> consumers = new HashMap<>();
        reads.values().forEach(all -> all.forEach(tag -> consumers.merge(tag, 1, Integer::sum)));
        Set<Tag<?>> alone = new LinkedHashSet<>();
        if (fuses) {
            expressions.keySet().stream()
                    .filter(tag -> !roots.contains(tag) && consumers.getOrDefault(tag, 0) == 1)
                    .forEach(alone::add);
        }
        expressions.forEach((tag, expression) -> {
            fates.put(tag, alone.contains(tag) ? Fate.FUSED : Fate.STORED);
            if (!alone.contains(tag)) {
                stored.put(tag, resolved(tag, expression, alone));
            }
        });
        forget();
    }

    /**
     * Returns the expression with those in the place of fields that have no field, or no ghosts where some are read.
     */
    private <L extends Location> Expr<L> resolved(Tag<?> target, Expr<L> expression, Set<Tag<?>> alone) {
        Set<Tag<?>> inside = new LinkedHashSet<>(alone);
        while (true) {
            Expr<L> its = Substitution.inline(expression, tag -> inside.contains(tag) ? expressions.get(tag) : null);
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
    private void forget() {
        Set<Tag<?>> needed = new HashSet<>(roots);
        for (Tag<?> tag : List.copyOf(stored.keySet()).reversed()) { // what reads a field comes behind it
            if (needed.contains(tag)) {
                needed.addAll(Substitution.reads(Objects.requireNonNull(stored.get(tag))));
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
        return new ExpressionTree(grid, expressions, roots, reads, fuses);
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
        List<Assignment> all = new ArrayList<>();
        stored.forEach((tag, expression) -> all.add(assignment(fields, tag, expression, form)));
        return all;
    }

    @SuppressWarnings("unchecked") // a definition has the location of its tag
    private static <L extends Location> Assignment assignment(
            FieldStore fields, Tag<?> tag, Expr<L> expression, Loops.Form form) {
        return Assignment.of(fields, (Tag<L>) tag, expression, form);
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
        submit(assignments(fields, Loops.Form.AUTO), graph, parameters);
    }

    /** Records the tasks that compute all fields, of expressions without parameters, to be run again and again. */
    public CompiledGraph compile(FieldStore fields) {
        return compile(fields, Map.of());
    }

    /**
     * Records the tasks that compute all fields, to be run again and again with the same numbers; see {@link #submit}.
     */
    public CompiledGraph compile(FieldStore fields, Map<String, Double> parameters) {
        List<Assignment> all = assignments(fields, Loops.Form.AUTO);
        return fields.session().record(graph -> submit(all, graph, parameters));
    }

    private static void submit(List<Assignment> all, Tasks graph, Map<String, Double> parameters) {
        Set<String> known = new LinkedHashSet<>();
        all.forEach(assignment -> known.addAll(assignment.parameters()));
        Assignment.requireKnown(parameters, known);
        for (Assignment assignment : all) {
            Map<String, Double> its = new HashMap<>(parameters);
            its.keySet().retainAll(assignment.parameters());
            assignment.submit(graph, its);
        }
    }

    /** Returns each expression on a line, with what became of it and what it reads. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        fates.forEach((tag, fate) -> {
            String how = switch (fate) {
                case STORED -> roots.contains(tag) ? "wanted" : "in a field of its own";
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
        return text.toString();
    }
}
