package dev.jacquard.expressions.tree;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Expression.Dependents;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A loop of the user's own with the dependents that it advertised, perhaps for fields of other names. */
final class UserExpression implements Computation {
    private final Expression expression;
    /** The fields that are read, with their ghosts, by the names in the tree. */
    private final Map<Tag<?>, Integer> reads;

    private final Map<Tag<?>, Integer> computes;
    private final Set<String> parameters;
    /** The names in the tree of the fields that were advertised. */
    private final Map<Tag<?>, Tag<?>> names;

    private UserExpression(
            Expression expression,
            Map<Tag<?>, Integer> reads,
            Map<Tag<?>, Integer> computes,
            Set<String> parameters,
            Map<Tag<?>, Tag<?>> names) {
        this.expression = expression;
        this.reads = reads;
        this.computes = computes;
        this.parameters = parameters;
        this.names = names;
    }

    /**
     * Returns an expression with the dependents that it advertised.
     *
     * @throws IllegalArgumentException if it computes nothing, or has fields or ghosts that the grid lacks
     */
    static UserExpression of(Grid grid, Expression expression, Dependents dependents) {
        Map<Tag<?>, Tag<?>> names = new LinkedHashMap<>();
        dependents.fieldsRead().keySet().forEach(tag -> names.put(tag, tag));
        dependents.fieldsComputed().keySet().forEach(tag -> names.put(tag, tag));
        UserExpression its = new UserExpression(
                expression,
                new LinkedHashMap<>(dependents.fieldsRead()),
                new LinkedHashMap<>(dependents.fieldsComputed()),
                new LinkedHashSet<>(dependents.parameters()),
                names);
        if (its.computes.isEmpty()) {
            throw new IllegalArgumentException(
                    its.name() + " advertises no field that it computes: dependents.computes(tag) does");
        }
        names.keySet().forEach(tag -> FieldKey.requireOnGrid(grid, tag, its.name() + " advertises "));
        its.computes.forEach((tag, ghosts) -> its.requireGhosts(grid, tag, ghosts, "computes", ""));
        return its;
    }

    /**
     * Throws an exception if fields have fewer ghosts than are advertised.
     *
     * @param path the way from a wanted field, for the message
     */
    void requireGhosts(Grid grid, Tag<?> tag, int ghosts, String does, String path) {
        int layers = grid.ghostLayers(0);
        if (ghosts > layers) {
            throw new IllegalArgumentException(name() + " " + does + " " + layers(ghosts) + " of \"" + tag
                    + "\", and the grid has " + layers(layers) + ": ask for Grid.ghosts(" + ghosts + ")" + path);
        }
    }

    static String layers(int count) {
        return count + (count == 1 ? " ghost layer" : " ghost layers");
    }

    /** Returns a name for messages. */
    String name() {
        Class<?> type = expression.getClass();
        String its = type.isHidden() || type.isAnonymousClass() || type.isSynthetic() ? "" : type.getSimpleName() + " ";
        return "expression " + its + "of " + computes.keySet();
    }

    /** Returns the fields that are read, with their ghosts. */
    Map<Tag<?>, Integer> ghostsRead() {
        return reads;
    }

    Map<Tag<?>, Integer> ghostsComputed() {
        return computes;
    }

    /** Returns the names of the numbers that it needs. */
    @Override
    public Set<String> parameters() {
        return parameters;
    }

    Expression expression() {
        return expression;
    }

    /**
     * Returns the name that a field has in the tree.
     *
     * @throws IllegalArgumentException if it is none of {@code known}
     */
    Tag<?> bound(Tag<?> tag, Map<Tag<?>, Integer> known, String verb) {
        Objects.requireNonNull(tag, "tag");
        Tag<?> its = names.get(tag);
        if (its == null || !known.containsKey(its)) {
            throw new IllegalArgumentException("evaluation without advertisement: " + name() + " binds \"" + tag
                    + "\", which it has not advertised; dependents." + verb + "(tag) does"
                    + NearestName.hint(
                            tag.toString(),
                            names.keySet().stream().map(Tag::toString).toList()));
        }
        return its;
    }

    void requireParameter(String name) {
        if (!parameters.contains(name)) {
            throw new IllegalArgumentException("evaluation without advertisement: " + name() + " binds parameter \""
                    + name + "\", which it has not advertised; dependents.parameters(name) does"
                    + NearestName.hint(name, parameters));
        }
    }

    // ---- in a tree

    @Override
    public Set<Tag<?>> computes() {
        return Collections.unmodifiableSet(computes.keySet());
    }

    @Override
    public Set<Tag<?>> reads() {
        return Collections.unmodifiableSet(reads.keySet());
    }

    @Override
    public int ghostsRead(Grid grid, Tag<?> tag) {
        return reads.getOrDefault(tag, 0);
    }

    @Override
    public int ghostsComputed(Tag<?> tag) {
        return computes.getOrDefault(tag, 0);
    }

    @Override
    public @Nullable Expr<?> formula() {
        return null;
    }

    @Override
    public int loops(Grid grid) {
        return 1;
    }

    @Override
    public long movedBytes(Grid grid) {
        long bytes = 0;
        for (Tag<?> tag : reads.keySet()) {
            bytes += Computation.bytes(grid, tag);
        }
        for (Tag<?> tag : computes.keySet()) {
            bytes += Computation.bytes(grid, tag);
        }
        return bytes;
    }

    @Override
    public Computation renamed(UnaryOperator<Tag<?>> others) {
        Map<Tag<?>, Tag<?>> its = new LinkedHashMap<>();
        names.forEach((advertised, name) -> its.put(advertised, others.apply(name)));
        return new UserExpression(expression, renamed(reads, others), renamed(computes, others), parameters, its);
    }

    private static Map<Tag<?>, Integer> renamed(Map<Tag<?>, Integer> ghosts, UnaryOperator<Tag<?>> names) {
        Map<Tag<?>, Integer> its = new LinkedHashMap<>();
        ghosts.forEach((tag, layers) -> its.merge(names.apply(tag), layers, Math::max));
        return its;
    }

    @Override
    public Assignment assignment(
            FieldStore fields, FieldLookup lookup, Loops.Form form, List<Integer> tile, @Nullable Watch watch) {
        return Assignment.of(fields, this, new UserLoop(this, fields, lookup));
    }
}
