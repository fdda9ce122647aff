package dev.jacquard.apps.known;

import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Scalars that a flow carries along and that spread, in a periodic cube: {@code ∂Φᵢ/∂t = −∇·(vΦᵢ) + ∇·(κ∇Φᵢ) + fᵢ}.
 * Uncoupled, each decays by itself, {@code fᵢ = −rᵢΦᵢ}. Coupled, each depends on all, {@code fᵢ = 1 − Πⱼ exp(Φⱼ)}: the
 * waves of the solution add up to nothing everywhere, so that the product is 1. Then the solution is a wave that moves
 * and decays, {@code Φᵢ = A·exp(−λᵢt)·Π cos(2π(x − vt) + φᵢ)}, with φᵢ along x only.
 *
 * <p>Source: the expressions thesis, equations 4.1 and 4.2.
 *
 * @param dimensions of the cube
 * @param equations the number of scalars
 */
record KnownTransport(int dimensions, int equations, Coupling coupling) implements KnownSolution {
    private static final double AMPLITUDE = 0.5;
    /** The flow along each axis. */
    private static final double VELOCITY = 0.5;

    private static final double DIFFUSIVITY = 0.1;
    private static final Tag<Cell> PRODUCT = Tag.cell("product");

    /** The ways in which the scalars depend on each other. */
    enum Coupling {
        /** They do not: each equation is a separate path. */
        NONE,
        /** Each depends on all. */
        FULL
    }

    @Override
    public List<Tag<Cell>> unknowns() {
        return IntStream.range(0, equations).mapToObj(i -> Tag.cell("phi" + i)).toList();
    }

    @Override
    public Model model(Grid grid) {
        Model model = Model.of(grid);
        List<Tag<Cell>> all = unknowns();
        for (Tag<Cell> unknown : all) {
            model = model.source(unknown);
        }
        if (coupling == Coupling.FULL) {
            Expr<Cell> product = exp(all.getFirst());
            for (Tag<Cell> other : all.subList(1, equations)) {
                product = product.times(exp(other));
            }
            model = model.define(PRODUCT, product);
        }
        for (int i = 0; i < equations; i++) {
            Tag<Cell> unknown = all.get(i);
            Expr<Cell> spread =
                    div(grad(unknown).times(DIFFUSIVITY).minus(faces(unknown).times(VELOCITY)));
            Expr<Cell> made = coupling == Coupling.FULL ? PRODUCT.negate().plus(1) : unknown.times(-decay(i));
            model = model.define(rate(unknown), spread.plus(made));
        }
        return model;
    }

    /** Returns the rate at which a scalar that is uncoupled decays by itself. */
    private double decay(int equation) {
        return (equation + 1.0) / equations;
    }

    @Override
    public void given(FieldStore fields) {
        // the equations have constants alone
    }

    @Override
    public Ssp.Of bounded(Ssp.Of ssp) {
        Ssp.Of all = ssp;
        for (Tag<Cell> unknown : unknowns()) {
            for (Side side : Side.values()) {
                if (side.axis() < dimensions) {
                    all = all.boundary(unknown, side, Condition.periodic());
                }
            }
        }
        return all;
    }

    @Override
    public double value(int unknown, double x, double y, double z, double t) {
        double[] at = {x, y, z};
        double value = AMPLITUDE;
        double decay = coupling == Coupling.FULL ? 0 : decay(unknown);
        for (int axis = 0; axis < dimensions; axis++) {
            double phase = axis == 0 ? 2 * Math.PI * unknown / equations : 0;
            value *= Math.cos(2 * Math.PI * (at[axis] - VELOCITY * t) + phase);
            decay += DIFFUSIVITY * 4 * Math.PI * Math.PI;
        }
        return value * Math.exp(-decay * t);
    }
}
