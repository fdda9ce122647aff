package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.NumberRange;
import dev.jacquard.memory.data.DataType;
import java.util.List;
import java.util.Objects;

/** A part of an expression. Immutable. */
sealed interface Term {
    /** A field. */
    record Read(Tag<?> tag) implements Term {}

    /** A field that is computed where it is needed, and rounded as if it were stored. */
    record Inlined(Tag<?> tag, Term of) implements Term {}

    /** A number. */
    record Literal(double value) implements Term {
        /**
         * Returns the number for loops of a type.
         *
         * @throws IllegalArgumentException if it would become 0 or infinite in the type
         */
        double in(DataType type) {
            String misfit = NumberRange.misfit(value, type);
            if (!misfit.isEmpty()) {
                throw new IllegalArgumentException(
                        "the number " + value + ' ' + misfit + "; expected another one, or a grid of FLOAT64");
            }
            return value;
        }
    }

    /** A number that is given by name at each run. */
    record Parameter(String name) implements Term {}

    /** The coordinate of the point along an axis. */
    record Coordinate(int axis) implements Term {}

    /**
     * The coordinate of the point along an axis, counted from the point at which the whole is computed.
     *
     * @param index the number of that point along the axis
     */
    record Counted(int axis, Term index) implements Term {}

    /** The same value; the coordinates in it are counted from the point at which this is computed. */
    record Whole(Term of) implements Term {}

    /** An operation on values at the point. */
    record Apply(Function function, List<Term> arguments) implements Term {}

    /** The difference of neighbours over their distance: from cells to the faces between them. */
    record Gradient(Term of, Axis axis) implements Term {}

    /** The mean of neighbours: from cells to the faces between them. */
    record ToFaces(Term of, Axis axis) implements Term {}

    /** The difference of a cell's faces across an axis over their distance, or the sum of these for all axes. */
    record Divergence(Term of, Axis axis) implements Term {}

    /** The mean of a cell's faces across an axis, or across all. */
    record ToCells(Term of, Axis axis) implements Term {}

    /** The mean of the cells around a node. */
    record ToNodes(Term of) implements Term {}

    /** The mean of the nodes around a cell. */
    record FromNodes(Term of) implements Term {}

    /** The difference of the next cell and the one before over their distance. */
    record Central(Term of, Axis axis) implements Term {}

    /** A sum of neighbours with weights. */
    record Weighted(Term of, Stencil stencil) implements Term {}

    /** A vector by its components. */
    record Vector(List<Term> components) implements Term {}

    /** A component of a vector. */
    record Component(Term of, Axis axis) implements Term {}

    /** The axis of an operator. */
    enum Axis {
        X(0),
        Y(1),
        Z(2),
        /** All axes of the grid: for vectors, the one that the component has. */
        ALL(-1);

        private final int index;

        Axis(int index) {
            this.index = index;
        }

        /** Returns the number of the axis, 0 for x. */
        int index() {
            return index;
        }
    }

    /** Returns the term of an expression. */
    static <L extends Location> Term of(Expr<L> expression) {
        return switch (Objects.requireNonNull(expression, "expression")) {
            case Tag<L> tag -> new Read(tag);
            case Formula<L> formula -> formula.term();
        };
    }
}
