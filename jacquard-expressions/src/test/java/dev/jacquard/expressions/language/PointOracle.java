package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Term.Axis;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates expressions at one point after the other, as their definitions say, with nothing shared or factored out.
 */
public final class PointOracle {
    private final Grid grid;
    private final Values values;
    private final Map<String, Double> parameters;

    /** The values of fields. */
    @FunctionalInterface
    public interface Values {
        /** Returns the value of a field at a point, which may be a ghost. */
        double at(Tag<?> tag, int axis, int x, int y, int z);
    }

    /**
     * A point: its centring, the component that is looked at, its indices, and the point of the whole around it; null
     * without one.
     */
    private record Point(
            Centring centring,
            int axis,
            int x,
            int y,
            int z,
            @Nullable Point whole) {
        Point by(Centring other, int dx, int dy, int dz) {
            return new Point(other, axis, x + dx, y + dy, z + dz, whole);
        }

        Point to(Centring other, int along, int by) {
            return by(other, along == 0 ? by : 0, along == 1 ? by : 0, along == 2 ? by : 0);
        }

        Point component(int along) {
            return new Point(Centring.face(along), along, x, y, z, whole);
        }

        Point counted() {
            return new Point(centring, axis, x, y, z, new Point(centring, axis, x, y, z, null));
        }

        int index(int along) {
            return along == 0 ? x : along == 1 ? y : z;
        }
    }

    public PointOracle(Grid grid, Values values, Map<String, Double> parameters) {
        this.grid = grid;
        this.values = values;
        this.parameters = parameters;
    }

    /** Returns the value of an expression at a point of a centring; of vectors the component along {@code axis}. */
    public double at(Expr<?> expression, Centring centring, int axis, int x, int y, int z) {
        return value(Term.of(expression), new Point(centring, axis, x, y, z, null));
    }

    private double value(Term term, Point at) {
        return switch (term) {
            case Term.Read read -> values.at(read.tag(), read.tag().isVector() ? at.axis : 0, at.x, at.y, at.z);
            case Term.Inlined inlined -> value(inlined.of(), at);
            case Term.Counted its -> {
                Point whole = Objects.requireNonNull(at.whole);
                double index = value(its.index(), whole) + at.index(its.axis()) - whole.index(its.axis());
                double middle = at.centring.isStaggered(its.axis()) ? 0 : 0.5;
                yield (index + middle) * grid.spacing(its.axis()) + grid.origin(its.axis());
            }
            case Term.Whole whole -> value(whole.of(), at.counted());
            case Term.Literal number -> number.value();
            case Term.Parameter parameter -> Objects.requireNonNull(parameters.get(parameter.name()));
            case Term.Coordinate its -> grid.coordinate(at.centring, its.axis(), at.index(its.axis()));
            case Term.Apply apply -> apply(apply, at);
            case Term.Gradient its -> {
                int axis = axis(its.axis(), at);
                double low = value(its.of(), at.to(Centring.CELL, axis, -1));
                yield (value(its.of(), at.to(Centring.CELL, axis, 0)) - low) / grid.spacing(axis);
            }
            case Term.ToFaces its -> {
                int axis = axis(its.axis(), at);
                double low = value(its.of(), at.to(Centring.CELL, axis, -1));
                yield (low + value(its.of(), at.to(Centring.CELL, axis, 0))) / 2;
            }
            case Term.Divergence its -> {
                double sum = 0;
                for (int axis : axes(its.axis())) {
                    Point face = at.component(axis);
                    double high = value(its.of(), face.to(face.centring, axis, 1));
                    sum += (high - value(its.of(), face)) / grid.spacing(axis);
                }
                yield sum;
            }
            case Term.ToCells its -> {
                double sum = 0;
                int[] axes = axes(its.axis());
                for (int axis : axes) {
                    Point face = at.component(axis);
                    sum += value(its.of(), face) + value(its.of(), face.to(face.centring, axis, 1));
                }
                yield sum / (2 * axes.length);
            }
            case Term.ToNodes its -> corners(its.of(), at, Centring.CELL, -1);
            case Term.FromNodes its -> corners(its.of(), at, Centring.NODE, 1);
            case Term.Central its -> {
                int axis = axis(its.axis(), at);
                double high = value(its.of(), at.to(at.centring, axis, 1));
                yield (high - value(its.of(), at.to(at.centring, axis, -1))) / (2 * grid.spacing(axis));
            }
            case Term.Weighted its -> {
                double sum = 0;
                for (Stencil.Point point : its.stencil().points()) {
                    sum += point.weight() * value(its.of(), at.by(at.centring, point.dx(), point.dy(), point.dz()));
                }
                yield sum;
            }
            case Term.Vector its -> value(its.components().get(at.axis), at);
            case Term.Component its -> value(its.of(), at.component(axis(its.axis(), at)));
        };
    }

    private double corners(Term of, Point at, Centring centring, int to) {
        double sum = 0;
        int count = 0;
        for (int k = 0; k <= (grid.dimensions() > 2 ? 1 : 0); k++) {
            for (int j = 0; j <= (grid.dimensions() > 1 ? 1 : 0); j++) {
                for (int i = 0; i <= 1; i++) {
                    sum += value(of, at.by(centring, to * i, to * j, to * k));
                    count++;
                }
            }
        }
        return sum / count;
    }

    private double apply(Term.Apply apply, Point at) {
        List<Term> its = apply.arguments();
        double one = apply.function() == Function.WHERE ? 0 : value(its.get(0), at);
        double other = its.size() == 2 ? value(its.get(1), at) : 0;
        return switch (apply.function()) {
            case ADD -> one + other;
            case SUBTRACT -> one - other;
            case MULTIPLY -> one * other;
            case DIVIDE -> one / other;
            case NEGATE -> -one;
            case ABS -> Math.abs(one);
            case SQRT -> Math.sqrt(one);
            case MIN -> Math.min(one, other);
            case MAX -> Math.max(one, other);
            case EXP -> StrictMath.exp(one);
            case LOG -> StrictMath.log(one);
            case POW -> StrictMath.pow(one, other);
            case SIN -> StrictMath.sin(one);
            case COS -> StrictMath.cos(one);
            case TANH -> StrictMath.tanh(one);
            case LESS -> one < other ? 1 : 0;
            case AT_MOST -> one <= other ? 1 : 0;
            case EQUAL -> one == other ? 1 : 0;
            case AND -> one != 0 && other != 0 ? 1 : 0;
            case OR -> one != 0 || other != 0 ? 1 : 0;
            case NOT -> one == 0 ? 1 : 0;
            case WHERE -> value(its.get(0), at) != 0 ? value(its.get(1), at) : value(its.get(2), at);
        };
    }

    private static int axis(Axis axis, Point at) {
        return axis == Axis.ALL ? at.axis : axis.index();
    }

    private int[] axes(Axis axis) {
        return switch (axis) {
            case X -> new int[] {0};
            case Y -> new int[] {1};
            case Z -> new int[] {2};
            case ALL ->
                grid.dimensions() == 1
                        ? new int[] {0}
                        : grid.dimensions() == 2 ? new int[] {0, 1} : new int[] {0, 1, 2};
        };
    }
}
