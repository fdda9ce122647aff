package dev.jacquard.apps.known;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import java.util.List;

/**
 * A temperature that is known everywhere and at all times, in a cube of length 1, and the source of heat that it takes:
 * {@code T = P + t} with {@code P = Π cos(ωx + φ)} and the conductivity {@code k = 1 + Σ cos(2πx)/(2d)}, where products
 * and sums go over the d dimensions. The source is {@code 1 − ∇·(k∇P)}. Immutable.
 *
 * @param dimensions d
 * @param walls the conditions at all walls
 */
record KnownHeat(int dimensions, Walls walls) implements KnownSolution {
    private static final Tag<Cell> TEMPERATURE = Tag.cell("T");
    private static final Tag<Cell> CONDUCTIVITY = Tag.cell("k");
    private static final Tag<Cell> SOURCE = Tag.cell("source");
    private static final Tag<Faces> FLUX = Tag.faces("heat flux");

    /** The conditions at walls. */
    enum Walls {
        /** The temperature is given. */
        DIRICHLET,
        /** The derivative is given. */
        NEUMANN,
        /** The cube repeats itself. */
        PERIODIC
    }

    private double omega() {
        return walls == Walls.PERIODIC ? 2 * Math.PI : 0.7 * Math.PI;
    }

    private double phase() {
        return walls == Walls.PERIODIC ? 0.4 : 0.3;
    }

    /**
     * Returns the value of {@code Π cos(ωx + φ)}, with the derivative of the factor along an axis if that is none below
     * 0.
     */
    private double product(double[] at, int derivedAxis) {
        double product = 1;
        for (int axis = 0; axis < dimensions; axis++) {
            double angle = omega() * at[axis] + phase();
            product *= axis == derivedAxis ? -omega() * Math.sin(angle) : Math.cos(angle);
        }
        return product;
    }

    private double temperature(double x, double y, double z, double t) {
        return product(new double[] {x, y, z}, -1) + t;
    }

    private double conductivity(double x, double y, double z) {
        double[] at = {x, y, z};
        double sum = 0;
        for (int axis = 0; axis < dimensions; axis++) {
            sum += Math.cos(2 * Math.PI * at[axis]);
        }
        return 1 + sum / (2 * dimensions);
    }

    /** Returns the source: {@code 1 − k∇²P − ∇k·∇P}. */
    private double source(double x, double y, double z) {
        double[] at = {x, y, z};
        double source = 1 + product(at, -1) * conductivity(x, y, z) * dimensions * omega() * omega();
        for (int axis = 0; axis < dimensions; axis++) {
            source += Math.PI / dimensions * Math.sin(2 * Math.PI * at[axis]) * product(at, axis);
        }
        return source;
    }

    @Override
    public List<Tag<Cell>> unknowns() {
        return List.of(TEMPERATURE);
    }

    @Override
    public double value(int unknown, double x, double y, double z, double t) {
        return temperature(x, y, z, t);
    }

    @Override
    public void given(FieldStore fields) {
        fields.set(CONDUCTIVITY, this::conductivity);
        fields.set(SOURCE, this::source);
    }

    @Override
    public Model model(Grid grid) {
        return Model.of(grid)
                .source(TEMPERATURE, CONDUCTIVITY, SOURCE)
                .define(FLUX, faces(CONDUCTIVITY).times(grad(TEMPERATURE)))
                .define(rate(TEMPERATURE), div(FLUX).plus(SOURCE));
    }

    @Override
    public Ssp.Of bounded(Ssp.Of ssp) {
        Ssp.Of all = ssp;
        for (Side side : Side.values()) {
            if (side.axis() < dimensions) {
                all = all.boundary(TEMPERATURE, side, condition(side));
            }
        }
        return all;
    }

    private Condition condition(Side side) {
        return switch (walls) {
            case PERIODIC -> Condition.periodic();
            case DIRICHLET -> Condition.dirichlet(this::temperature);
            case NEUMANN -> {
                double outwards = side.isHigh() ? 1 : -1;
                yield Condition.neumann((x, y, z, t) -> outwards * product(new double[] {x, y, z}, side.axis()));
            }
        };
    }
}
