package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.text.NearestName;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.FaceY;
import dev.jacquard.expressions.field.Location.FaceZ;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.field.Location.Node;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Operators;
import dev.jacquard.expressions.tree.Expression.Results;
import dev.jacquard.expressions.tree.Expression.Run;
import dev.jacquard.expressions.tree.Expression.Values;
import dev.jacquard.memory.data.DataType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Operators on fields, found by their type: kind, source location and result location. The operators of the language
 * are its first entries; users add theirs, as formulas, which run anywhere, or as loops for the host. Of several
 * entries for a type the one that fits best is found: for the target on which the result lives, then for its type of
 * elements.
 *
 * <pre>{@code
 * Kind filter = new Kind("filter");
 * fields.operators().register(Signature.of(filter, Cell.class, Cell.class), c -> stencil(c, weights));
 * Expr<Cell> smooth = fields.operators().find(Signature.of(filter, Cell.class, Cell.class)).of(T);
 * }</pre>
 *
 * <p>Threads: any, one at a time.
 *
 * <p>Source: the expressions thesis, sections 3.1.3 and 3.2.3 (operator database, operator selection).
 */
public final class OperatorDatabase {
    /**
     * A purpose of operators.
     *
     * @param name the name, by which kinds are equal
     */
    public record Kind(String name) {
        /** Derivatives, from cells to the faces between them. */
        public static final Kind GRADIENT = new Kind("gradient");
        /** The sum of derivatives, from faces to the cells between them. */
        public static final Kind DIVERGENCE = new Kind("divergence");
        /** Means of neighbours, between any two locations. */
        public static final Kind INTERPOLATION = new Kind("interpolation");
        /** The divergence of the gradient, from cells to cells. */
        public static final Kind LAPLACIAN = new Kind("Laplacian");

        public Kind {
            Objects.requireNonNull(name, "name");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * The type of an operator.
     *
     * @param kind its kind
     * @param from the location of its operand
     * @param to the location of its result
     * @param elements the type of elements that an entry is for; null for all. Where an operator is looked up, that of
     *     the fields; null for operators that are for all
     * @param <S> the location of its operand
     * @param <T> the location of its result
     */
    public record Signature<S extends Location, T extends Location>(
            Kind kind, Class<S> from, Class<T> to, @Nullable DataType elements) {
        public Signature {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
        }

        /** Returns the type of operators on fields of any elements. */
        public static <S extends Location, T extends Location> Signature<S, T> of(
                Kind kind, Class<S> from, Class<T> to) {
            return new Signature<>(kind, from, to, null);
        }

        /** Returns the same type for fields with elements of a type. */
        public Signature<S, T> on(@Nullable DataType its) {
            return new Signature<>(kind, from, to, its);
        }

        String locations() {
            return from.getSimpleName() + " to " + to.getSimpleName() + (elements == null ? "" : " for " + elements);
        }

        @Override
        public String toString() {
            return kind + " from " + locations();
        }
    }

    /**
     * An operator as an expression of the language.
     *
     * @param <S> the location of its operand
     * @param <T> the location of its result
     */
    @FunctionalInterface
    public interface Formula<S extends Location, T extends Location> {
        /** Returns the operator's value for an operand. */
        Expr<T> of(Expr<S> operand);
    }

    /** An operator as a loop of the user's, from a field to another that are no vectors. */
    @FunctionalInterface
    public interface Loop {
        /** Computes all points of the result without ghosts; its ghosts may be anything afterwards. */
        void apply(Run run, Values operand, Results result) throws Exception;
    }

    /**
     * The implementation of an operator: one of both is null.
     *
     * @param ghosts the layers of the operand that the loop reads
     * @param where the target that it is for; null for any
     */
    record Implementation(
            @Nullable Formula<?, ?> formula,
            @Nullable Loop loop,
            int ghosts,
            @Nullable ExecutionTarget where) {}

    private record Key(Signature<?, ?> type, @Nullable ExecutionTarget where) {
        @Override
        public String toString() {
            return type.locations() + (where == null ? "" : " on " + where);
        }
    }

    private final Map<Key, Implementation> entries = new LinkedHashMap<>();

    private OperatorDatabase() {}

    /** Returns a database with the operators of the language. */
    public static OperatorDatabase standard() {
        OperatorDatabase all = new OperatorDatabase();
        all.add(Kind.GRADIENT, Cell.class, Faces.class, Operators::grad)
                .add(Kind.GRADIENT, Cell.class, FaceX.class, Operators::gradX)
                .add(Kind.GRADIENT, Cell.class, FaceY.class, Operators::gradY)
                .add(Kind.GRADIENT, Cell.class, FaceZ.class, Operators::gradZ)
                .add(Kind.DIVERGENCE, Faces.class, Cell.class, Operators::div)
                .add(Kind.DIVERGENCE, FaceX.class, Cell.class, Operators::divX)
                .add(Kind.DIVERGENCE, FaceY.class, Cell.class, Operators::divY)
                .add(Kind.DIVERGENCE, FaceZ.class, Cell.class, Operators::divZ)
                .add(Kind.INTERPOLATION, Cell.class, Faces.class, Operators::faces)
                .add(Kind.INTERPOLATION, Cell.class, FaceX.class, Operators::faceX)
                .add(Kind.INTERPOLATION, Cell.class, FaceY.class, Operators::faceY)
                .add(Kind.INTERPOLATION, Cell.class, FaceZ.class, Operators::faceZ)
                .add(Kind.INTERPOLATION, Faces.class, Cell.class, Operators::cells)
                .add(Kind.INTERPOLATION, FaceX.class, Cell.class, Operators::cellsX)
                .add(Kind.INTERPOLATION, FaceY.class, Cell.class, Operators::cellsY)
                .add(Kind.INTERPOLATION, FaceZ.class, Cell.class, Operators::cellsZ)
                .add(Kind.INTERPOLATION, Cell.class, Node.class, Operators::nodes)
                .add(Kind.INTERPOLATION, Node.class, Cell.class, Operators::fromNodes)
                .add(Kind.LAPLACIAN, Cell.class, Cell.class, Operators::laplacian);
        return all;
    }

    private <S extends Location, T extends Location> OperatorDatabase add(
            Kind kind, Class<S> from, Class<T> to, Formula<S, T> formula) {
        return register(Signature.of(kind, from, to), formula);
    }

    /** Adds an operator that runs anywhere, in the place of an earlier one of this type. */
    public <S extends Location, T extends Location> OperatorDatabase register(
            Signature<S, T> type, Formula<S, T> formula) {
        Objects.requireNonNull(formula, "formula");
        entries.put(new Key(Objects.requireNonNull(type, "type"), null), new Implementation(formula, null, 0, null));
        return this;
    }

    /** Adds an operator for fields that live on a target, in the place of an earlier one of this type. */
    public <S extends Location, T extends Location> OperatorDatabase register(
            Signature<S, T> type, ExecutionTarget where, Formula<S, T> formula) {
        Objects.requireNonNull(formula, "formula");
        Key key = new Key(Objects.requireNonNull(type, "type"), Objects.requireNonNull(where, "where"));
        entries.put(key, new Implementation(formula, null, 0, where));
        return this;
    }

    /**
     * Adds a loop for fields that live on the host, in the place of an earlier operator of this type there.
     *
     * @param ghosts the layers of the operand's ghosts that it reads
     * @throws IllegalArgumentException if the operator is from or to a vector, or if no field has that number of ghosts
     */
    public OperatorDatabase register(Signature<?, ?> type, int ghosts, Loop loop) {
        Objects.requireNonNull(loop, "loop");
        if (ghosts < 0 || ghosts > Grid.MOST_GHOSTS) {
            throw new IllegalArgumentException("a loop reads 0 to " + Grid.MOST_GHOSTS
                    + " layers of its operand's ghosts, and that for " + type + " cannot read " + ghosts);
        }
        if (type.from == Faces.class || type.to == Faces.class) {
            throw new IllegalArgumentException("a loop is an operator from a field to a field, not from or to a vector"
                    + " as " + type + ": register one for each of its components, such as FaceX");
        }
        entries.put(new Key(type, ExecutionTarget.HOST), new Implementation(null, loop, ghosts, ExecutionTarget.HOST));
        return this;
    }

    /**
     * Returns an operator as a formula for any target.
     *
     * @throws IllegalArgumentException if there is none; the message says which there are of its kind
     */
    public <S extends Location, T extends Location> Formula<S, T> find(Signature<S, T> type) {
        return formula(type, null);
    }

    /**
     * Returns an operator as a formula for fields that live on a target.
     *
     * @throws IllegalArgumentException if there is none; the message says which there are of its kind
     */
    public <S extends Location, T extends Location> Formula<S, T> find(Signature<S, T> type, ExecutionTarget where) {
        return formula(type, Objects.requireNonNull(where, "where"));
    }

    @SuppressWarnings("unchecked") // an entry's formula is of the entry's type
    private <S extends Location, T extends Location> Formula<S, T> formula(
            Signature<S, T> type, @Nullable ExecutionTarget where) {
        return (Formula<S, T>) Objects.requireNonNull(find(type, where, entry -> entry.formula != null).formula);
    }

    /**
     * Returns the result of the formula of an operator for an operand.
     *
     * @throws IllegalArgumentException if that is nothing
     */
    static <S extends Location, T extends Location> Expr<T> value(
            Signature<S, T> type, Formula<S, T> formula, Expr<S> operand) {
        Expr<T> its = formula.of(operand);
        if (its == null) { // users' code
            throw new IllegalArgumentException(
                    "the formula of operator " + type + " returned null instead of an expression");
        }
        return its;
    }

    /** Returns the implementation that fits best for fields that live on a target. */
    Implementation implementation(Signature<?, ?> type, ExecutionTarget where) {
        return find(type, where, entry -> true);
    }

    private Implementation find(
            Signature<?, ?> type, @Nullable ExecutionTarget where, Predicate<Implementation> wanted) {
        List<Key> keys = List.of(
                new Key(type, where), new Key(type.on(null), where), new Key(type, null), new Key(type.on(null), null));
        for (Key key : keys) {
            Implementation entry = entries.get(key);
            if (entry != null && wanted.test(entry)) {
                return entry;
            }
        }
        String known = entries.keySet().stream()
                .filter(key -> key.type.kind.equals(type.kind))
                .map(Key::toString)
                .collect(Collectors.joining(", "));
        List<String> kinds = entries.keySet().stream()
                .map(key -> key.type.kind.name())
                .distinct()
                .toList();
        throw new IllegalArgumentException("there is no operator " + type + (where == null ? "" : " on " + where)
                + (known.isEmpty()
                        ? ", but those of the kinds " + kinds + NearestName.hint(type.kind.name(), kinds)
                        : "; " + type.kind + " leads from " + known));
    }
}
