package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.ExpressionTree.Fate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which formulas are computed inside others, and makes the computations that are left. A formula moves into the
 * only formula that needs it; and, whether stored or not, into the formulas that read its ghosts, which no field of a
 * formula has. Loops of the user's are a wall: nothing moves into them, nor out.
 *
 * <p>Confined to one thread.
 */
final class Fusion {
    private final Grid grid;
    private final Map<Tag<?>, Computation> definitions;
    private final Set<Tag<?>> roots;
    private final Map<Tag<?>, Fate> fates = new LinkedHashMap<>();
    private final List<Computation> stored = new ArrayList<>();
    /** The formulas that move wherever they are needed. */
    private final Set<Tag<?>> alone;
    /** The formulas beyond these that move into a computation for their ghosts. */
    private final Map<Computation, Set<Tag<?>>> forGhosts = new HashMap<>();

    /**
     * @param definitions the computation of each field, operands first
     * @param roots the fields that are wanted
     * @param seen the fields that are stored in any case, the roots among them
     */
    Fusion(Grid grid, Map<Tag<?>, Computation> definitions, Set<Tag<?>> roots, Set<Tag<?>> seen, boolean fuses) {
        this.grid = grid;
        this.definitions = definitions;
        this.roots = roots;
        this.alone = fuses ? alone(seen) : Set.of();
        for (Computation one : new LinkedHashSet<>(definitions.values())) {
            Fate fate = one.computes().stream().allMatch(alone::contains) ? Fate.FUSED : Fate.STORED;
            one.computes().forEach(tag -> fates.put(tag, fate));
            if (fate == Fate.STORED) {
                stored.add(one instanceof FormulaComputation<?> formula ? resolved(formula) : one);
            }
        }
        forget(seen);
    }

    /** Returns the outcome of each field, operands first. */
    Map<Tag<?>, Fate> fates() {
        return fates;
    }

    /** Returns the computations that are left, operands first, with the formulas that moved into them. */
    List<Computation> stored() {
        return stored;
    }

    /** Returns the formulas that moved into a computation that is left, operands first. */
    List<Tag<?>> inside(Computation one) {
        Set<Tag<?>> more = forGhosts.getOrDefault(one, Set.of());
        Set<Tag<?>> found = new HashSet<>();
        if (one.formula() != null) {
            Deque<Tag<?>> left = new ArrayDeque<>(one.computes());
            while (!left.isEmpty()) {
                Computation its = definitions.get(left.remove());
                for (Tag<?> read : its == null ? Set.<Tag<?>>of() : its.reads()) {
                    if ((alone.contains(read) || more.contains(read)) && found.add(read)) {
                        left.add(read);
                    }
                }
            }
        }
        return definitions.keySet().stream().filter(found::contains).toList();
    }

    /** Returns the formulas that only one other formula needs. */
    private Set<Tag<?>> alone(Set<Tag<?>> seen) {
        Map<Tag<?>, Integer> consumers = new HashMap<>();
        Set<Tag<?>> walled = new HashSet<>(seen);
        for (Computation one : new LinkedHashSet<>(definitions.values())) {
            one.reads().forEach(tag -> consumers.merge(tag, 1, Integer::sum));
            if (one.formula() == null) {
                walled.addAll(one.reads());
                walled.addAll(one.computes());
            }
        }
        return definitions.keySet().stream()
                .filter(tag -> !walled.contains(tag) && consumers.getOrDefault(tag, 0) == 1)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the formula with others in the place of fields that have no field, or no ghosts where some are read. */
    private <L extends Location> FormulaComputation<L> resolved(FormulaComputation<L> its) {
        Set<Tag<?>> inside = new HashSet<>();
        while (true) {
            Expr<L> whole =
                    its.formula().inline(tag -> alone.contains(tag) || inside.contains(tag) ? formula(tag) : null);
            FormulaComputation<L> made = new FormulaComputation<>(its.target(), whole);
            Set<Tag<?>> more = withoutGhosts(made);
            if (!inside.addAll(more)) {
                forGhosts.put(made, inside);
                return made;
            }
            more.forEach(tag -> fates.put(tag, Fate.BOTH));
        }
    }

    private @Nullable Expr<?> formula(Tag<?> tag) {
        Computation its = definitions.get(tag);
        return its == null ? null : its.formula();
    }

    /**
     * Returns the formulas with ghosts that another one reads.
     *
     * @throws IllegalArgumentException if a loop of the user's computes too few of the ghosts that are read
     */
    private Set<Tag<?>> withoutGhosts(FormulaComputation<?> reader) {
        Set<Tag<?>> all = new LinkedHashSet<>();
        for (Lowering.Plan plan : reader.plans(grid)) {
            for (int i = 0; i < plan.inputs().size(); i++) {
                Tag<?> tag = plan.inputs().get(i).tag();
                Computation its = definitions.get(tag);
                int layers = plan.ghosts(i, grid);
                if (its == null || layers <= its.ghostsComputed(tag)) {
                    continue;
                }
                if (its.formula() == null) {
                    int computed = its.ghostsComputed(tag);
                    throw new IllegalArgumentException("\"" + reader.target() + "\" reads "
                            + UserExpression.layers(layers) + " of \"" + tag + "\", of which the expression computes "
                            + computed + ": dependents.computes(tag, " + layers + ") advertises them; "
                            + path(reader.target()) + " → " + tag);
                }
                all.add(tag);
            }
        }
        return all;
    }

    /** Returns a shortest way from a wanted field to the one that needs it. */
    private String path(Tag<?> to) {
        Map<Tag<?>, Tag<?>> from = new HashMap<>();
        Deque<Tag<?>> left = new ArrayDeque<>(roots);
        Set<Tag<?>> seen = new HashSet<>(roots);
        while (!left.isEmpty()) {
            Tag<?> next = left.remove();
            Computation its = definitions.get(next);
            if (its != null) {
                for (Tag<?> read : its.reads()) {
                    if (seen.add(read)) {
                        from.put(read, next);
                        left.add(read);
                    }
                }
            }
        }
        Deque<String> path = new ArrayDeque<>();
        for (Tag<?> tag = to; tag != null; tag = from.get(tag)) {
            path.addFirst(tag.toString());
        }
        return String.join(" → ", path);
    }

    /** Leaves out stored fields that nothing reads any more, since all that need them compute them inside. */
    private void forget(Set<Tag<?>> seen) {
        Set<Tag<?>> needed = new HashSet<>(seen);
        for (Computation one : List.copyOf(stored).reversed()) { // the readers of a field come after it
            if (one.computes().stream().anyMatch(needed::contains)) {
                needed.addAll(one.reads());
            } else {
                stored.remove(one);
                one.computes().forEach(tag -> fates.put(tag, Fate.FUSED));
            }
        }
    }
}
