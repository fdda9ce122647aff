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
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Definitions of fields: the caller sets some, each of the others has an expression. The order does not matter, and
 * what nothing asks for is never computed.
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
    private final Map<Tag<?>, Expr<?>> definitions = new LinkedHashMap<>();

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
        definitions.put(tag, expression);
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
     * Returns the tree that computes some fields, and what these need.
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
        Map<Tag<?>, Set<Tag<?>>> needed = new LinkedHashMap<>();
        for (Tag<?> root : roots) {
            if (sources.contains(root)) {
                throw new IllegalArgumentException("\"" + root + "\" is a source, and nothing computes it");
            }
            visit(root, needed);
        }
        Map<Tag<?>, Expr<?>> expressions = new LinkedHashMap<>();
        needed.keySet().forEach(tag -> expressions.put(tag, Objects.requireNonNull(definitions.get(tag))));
        return new ExpressionTree(grid, expressions, Set.copyOf(roots), needed);
    }

    /**
     * Returns a model of expressions whose fields are renamed, and of those of the wanted fields; all else that is read
     * is a source.
     */
    static Model derived(
            Grid grid,
            Map<Tag<?>, Expr<?>> expressions,
            UnaryOperator<Tag<?>> names,
            Map<? extends Tag<?>, ? extends Expr<?>> wanted) {
        Model model = new Model(grid);
        expressions.forEach((tag, expression) -> {
            Tag<?> name = names.apply(tag);
            model.requireUnknown(name);
            model.definitions.put(
                    name, expression.inline(read -> names.apply(read).equals(read) ? null : names.apply(read)));
        });
        wanted.forEach((tag, expression) -> {
            model.requireUnknown(tag);
            model.definitions.put(tag, expression);
        });
        model.definitions.values().forEach(expression -> model.sources.addAll(expression.reads()));
        model.sources.removeAll(model.definitions.keySet());
        return model;
    }

    /** A field on the path from a root, and what of its needs is yet to be looked at. */
    private record Visit(Tag<?> tag, Set<Tag<?>> reads, Iterator<Tag<?>> left) {}

    /** Adds what {@code root} needs, then the root: operands come first. A loop, since chains may be long. */
    private void visit(Tag<?> root, Map<Tag<?>, Set<Tag<?>>> needed) {
        LinkedHashMap<Tag<?>, Visit> path = new LinkedHashMap<>();
        enter(root, path, needed);
        while (!path.isEmpty()) {
            Visit last = Objects.requireNonNull(path.lastEntry()).getValue();
            if (last.left.hasNext()) {
                enter(last.left.next(), path, needed);
            } else {
                path.remove(last.tag);
                needed.put(last.tag, last.reads);
            }
        }
    }

    private void enter(Tag<?> tag, Map<Tag<?>, Visit> path, Map<Tag<?>, Set<Tag<?>>> needed) {
        if (needed.containsKey(tag) || sources.contains(tag)) {
            return;
        }
        List<Tag<?>> tags = new ArrayList<>();
        if (path.containsKey(tag)) {
            tags.addAll(path.keySet());
            throw new IllegalArgumentException(
                    "\"" + tag + "\" needs itself: " + text(tags.subList(tags.indexOf(tag), tags.size()), tag));
        }
        Expr<?> expression = definitions.get(tag);
        if (expression == null) {
            tags.addAll(path.keySet());
            List<String> known = Stream.concat(sources.stream(), definitions.keySet().stream())
                    .map(Tag::name)
                    .toList();
            throw new IllegalArgumentException("\"" + tag + "\" is neither defined nor a source"
                    + (tags.isEmpty() ? "" : ", and needed: " + text(tags, tag))
                    + NearestName.hint(tag.name(), known));
        }
        Set<Tag<?>> reads = expression.reads();
        path.put(tag, new Visit(tag, reads, reads.iterator()));
    }

    private static String text(List<Tag<?>> path, Tag<?> last) {
        return Stream.concat(path.stream(), Stream.of(last)).map(Tag::name).collect(Collectors.joining(" → "));
    }
}
