package dev.jacquard.expressions.tree;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Definitions of fields: the caller sets some, each of the others has an expression. The order does not matter, and a
 * field that nothing asks for is never computed.
 *
 * <pre>{@code
 * Model model = Model.of(grid)
 *         .source(T, K)
 *         .define(Q, faces(K).times(grad(T)))
 *         .define(RATE, div(Q));
 * ExpressionTree tree = model.tree(RATE);
 * }</pre>
 *
 * <p>Confined to one thread.
 *
 * <p>Source: the expressions thesis, section 2.2.3 (the expression tree assembles itself from its roots).
 */
public final class Model {
    private final Grid grid;
    private final Set<Tag<?>> sources = new LinkedHashSet<>();
    private final Map<Tag<?>, Computation> definitions = new LinkedHashMap<>();

    private Model(Grid grid) {
        this.grid = grid;
    }

    /** Returns a model of which nothing is known yet. */
    public static Model of(Grid grid) {
        return new Model(Objects.requireNonNull(grid, "grid"));
    }

    /**
     * Declares fields that the caller sets.
     *
     * @throws IllegalArgumentException if one is known already
     */
    public Model source(Tag<?>... tags) {
        for (Tag<?> tag : tags) {
            requireUnknown(tag);
            sources.add(tag);
        }
        return this;
    }

    /**
     * Defines a field by an expression.
     *
     * @throws IllegalArgumentException if it is known already
     */
    public <L extends Location> Model define(Tag<L> tag, Expr<L> expression) {
        Objects.requireNonNull(expression, "expression");
        requireUnknown(tag);
        definitions.put(tag, new FormulaComputation<>(tag, expression));
        return this;
    }

    /**
     * Defines the fields that an expression with a loop of the user's advertises.
     *
     * @throws IllegalArgumentException if it advertises none, or one that is known already, or fields or ghosts that
     *     the grid lacks
     */
    public Model define(Expression expression) {
        return define(expression, expression::advertise);
    }

    /**
     * Defines the fields of an expression with explicit dependents: the expression is not asked for them.
     *
     * @throws IllegalArgumentException if they have no field that is computed, or one that is known already, or fields
     *     or ghosts that the grid lacks
     */
    public Model define(Expression expression, Consumer<Expression.Dependents> explicit) {
        Objects.requireNonNull(expression, "expression");
        Expression.Dependents dependents = new Expression.Dependents();
        explicit.accept(dependents);
        UserExpression its = UserExpression.of(grid, expression, dependents);
        its.computes().forEach(this::requireUnknown);
        its.computes().forEach(tag -> definitions.put(tag, its));
        return this;
    }

    private void requireUnknown(Tag<?> tag) {
        Objects.requireNonNull(tag, "tag");
        if (sources.contains(tag) || definitions.containsKey(tag)) {
            throw new IllegalArgumentException("\"" + tag + "\" is "
                    + (sources.contains(tag) ? "a source" : "defined") + " already: a field has one expression, or none"
                    + " if the caller sets it");
        }
    }

    /**
     * Returns the tree that computes some fields, and their operands.
     *
     * @throws IllegalArgumentException if a field is needed that is neither defined nor a source, or needs itself; the
     *     message shows the path to it
     */
    public ExpressionTree tree(Tag<?>... roots) {
        return tree(List.of(roots));
    }

    /** Returns the tree that computes some fields; see {@link #tree(Tag[])}. */
    public ExpressionTree tree(List<? extends Tag<?>> roots) {
        if (roots.isEmpty()) {
            throw new IllegalArgumentException("a tree needs at least 1 field that is wanted");
        }
        Map<Tag<?>, Computation> needed = new LinkedHashMap<>();
        for (Tag<?> root : roots) {
            if (sources.contains(root)) {
                throw new IllegalArgumentException("\"" + root + "\" is a source, and nothing computes it");
            }
            visit(root, needed);
        }
        return new ExpressionTree(grid, needed, Set.copyOf(roots));
    }

    /**
     * Returns a model of expressions with renamed fields, and of the expressions of the wanted fields; all else that is
     * read is a source.
     */
    static Model derived(
            Grid grid,
            Map<Tag<?>, Computation> definitions,
            UnaryOperator<Tag<?>> names,
            Map<? extends Tag<?>, ? extends Expr<?>> wanted) {
        Model model = new Model(grid);
        for (Computation one : new LinkedHashSet<>(definitions.values())) {
            Computation its = one.renamed(names);
            its.computes().forEach(model::requireUnknown);
            its.computes().forEach(tag -> model.definitions.put(tag, its));
        }
        wanted.forEach(model::defineUnchecked);
        model.definitions.values().forEach(its -> model.sources.addAll(its.reads()));
        model.sources.removeAll(model.definitions.keySet());
        return model;
    }

    @SuppressWarnings("unchecked") // the caller pairs expressions with fields at the same location
    private <L extends Location> void defineUnchecked(Tag<L> tag, Expr<?> expression) {
        define(tag, (Expr<L>) expression);
    }

    /** A field on the path from a root, and its needs that are yet to be looked at. */
    private record Visit(Tag<?> tag, Computation its, Iterator<Tag<?>> left) {}

    /** Adds the operands of {@code root}, then the root: operands come first. A loop, since chains may be long. */
    private void visit(Tag<?> root, Map<Tag<?>, Computation> needed) {
        LinkedHashMap<Tag<?>, Visit> path = new LinkedHashMap<>();
        enter(root, path, needed);
        while (!path.isEmpty()) {
            Visit last = Objects.requireNonNull(path.lastEntry()).getValue();
            if (last.left.hasNext()) {
                enter(last.left.next(), path, needed);
            } else {
                path.remove(last.tag);
                last.its.computes().forEach(tag -> needed.put(tag, last.its));
            }
        }
    }

    private void enter(Tag<?> tag, Map<Tag<?>, Visit> path, Map<Tag<?>, Computation> needed) {
        if (needed.containsKey(tag) || sources.contains(tag)) {
            return;
        }
        List<Tag<?>> tags = new ArrayList<>();
        if (path.containsKey(tag)) {
            tags.addAll(path.keySet());
            throw new IllegalArgumentException(
                    "\"" + tag + "\" needs itself: " + text(tags.subList(tags.indexOf(tag), tags.size()), tag));
        }
        Computation its = definitions.get(tag);
        if (its == null) {
            tags.addAll(path.keySet());
            List<String> known = Stream.concat(sources.stream(), definitions.keySet().stream())
                    .map(Tag::toString)
                    .toList();
            throw new IllegalArgumentException("\"" + tag + "\" is neither defined nor a source"
                    + (tags.isEmpty() ? "" : ", and needed: " + text(tags, tag))
                    + NearestName.hint(tag.toString(), known));
        }
        path.put(tag, new Visit(tag, its, its.reads().iterator()));
        if (its instanceof UserExpression loop) {
            requireGhosts(loop, List.copyOf(path.keySet()));
        }
    }

    /** Throws an exception if a loop of the user's reads ghosts that the grid lacks, or nothing fills. */
    private void requireGhosts(UserExpression loop, List<Tag<?>> path) {
        loop.ghostsRead().forEach((tag, layers) -> {
            String way = "; needed: " + text(path, tag);
            loop.requireGhosts(grid, tag, layers, "reads", way);
            Computation its = definitions.get(tag);
            int computed = its == null ? layers : its.ghostsComputed(tag);
            if (layers > computed) {
                throw new IllegalArgumentException(loop.name() + " reads " + UserExpression.layers(layers) + " of \""
                        + tag + "\", of which "
                        + (its instanceof UserExpression
                                ? "its expression computes " + computed + ": dependents.computes(tag, " + layers
                                        + ") advertises them"
                                : "none are computed with a formula: let a formula read these neighbours, or make \""
                                        + tag + "\" a source whose boundaries are filled")
                        + way);
            }
        });
    }

    private static String text(List<Tag<?>> path, Tag<?> last) {
        return Stream.concat(path.stream(), Stream.of(last)).map(Tag::toString).collect(Collectors.joining(" → "));
    }
}
