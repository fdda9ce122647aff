package dev.jacquard.bench.fields;

import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import java.util.List;

/**
 * Equations with steps by Euler's method that are measured on several workers.
 *
 * <p>Source: the expressions thesis, equations 4.1 and 4.2 (transport).
 */
enum StepProblem {
    /** The heat equation with a conductivity that varies. */
    HEAT(1) {
        @Override
        Model model(Grid grid) {
            Tag<Cell> t = unknowns().getFirst();
            return Model.of(grid).source(t, K).define(rate(t), div(faces(K).times(grad(t))));
        }
    },
    /** Scalars that a flow carries along, each by itself. */
    TRANSPORT(16) {
        @Override
        Model model(Grid grid) {
            Model model = Model.of(grid);
            for (Tag<Cell> unknown : unknowns()) {
                model = model.source(unknown)
                        .define(rate(unknown), carried(unknown).minus(unknown));
            }
            return model;
        }
    },
    /** The same, where each depends on the product of the exponentials of all. */
    COUPLED(16) {
        @Override
        Model model(Grid grid) {
            Model model = Model.of(grid);
            Expr<Cell> product = unknowns().stream()
                    .<Expr<Cell>>map(one -> exp(one))
                    .reduce((a, b) -> a.times(b))
                    .orElseThrow();
            for (Tag<Cell> unknown : unknowns()) {
                Expr<Cell> rate = carried(unknown).minus(PRODUCT.times(SMALL));
                model = model.source(unknown).define(rate(unknown), rate);
            }
            return model.define(PRODUCT, product);
        }
    };

    /** The conductivity of the heat equation. */
    static final Tag<Cell> K = Tag.cell("k");

    private static final Tag<Cell> PRODUCT = Tag.cell("product");
    private static final double DIFFUSIVITY = 0.1;
    private static final double VELOCITY = 0.5;
    /** Keeps the unknowns near their waves. */
    private static final double SMALL = 1e-6;
    /** The length of a step, in squares of the cells' width: stable, and so short that no value becomes tiny. */
    private static final double STEP = 0.001;

    private final int equations;

    StepProblem(int equations) {
        this.equations = equations;
    }

    /** Returns the number of unknowns. */
    int equations() {
        return equations;
    }

    /** Returns the equations. */
    abstract Model model(Grid grid);

    /** Returns the fields that advance. */
    List<Tag<Cell>> unknowns() {
        return Tag.cells("u", equations);
    }

    /** Returns the rate by which an unknown advances. */
    static Tag<Cell> rate(Tag<Cell> unknown) {
        return Tag.cell("rate of " + unknown.name());
    }

    private static Expr<Cell> carried(Tag<Cell> unknown) {
        return div(grad(unknown).times(DIFFUSIVITY).minus(faces(unknown).times(VELOCITY)));
    }

    static Grid grid(int cells) {
        return Grid.of(cells, cells, cells).lengths(1, 1, 1).ghosts(1);
    }

    /** Returns the length of a step. */
    static double length(Grid grid) {
        return STEP * grid.spacing(0) * grid.spacing(0);
    }

    /** Sets the fields, and makes the steps. */
    Integrator begin(FieldStore fields) {
        Tag<?>[] rates = unknowns().stream().map(StepProblem::rate).toArray(Tag<?>[]::new);
        Ssp ssp = Ssp.order(1);
        for (int i = 0; i < equations; i++) {
            Tag<Cell> unknown = unknowns().get(i);
            double phase = 2 * Math.PI * i / equations;
            fields.set(unknown, (x, y, z) -> 0.5 * Math.cos(2 * Math.PI * x + phase) * Math.cos(2 * Math.PI * y));
            ssp = ssp.advance(unknown, rate(unknown));
            for (Side side : Side.values()) {
                ssp = ssp.boundary(unknown, side, this == HEAT ? Condition.neumann(0) : Condition.periodic());
            }
        }
        if (this == HEAT) {
            fields.set(K, (x, y, z) -> 1 + 0.5 * x);
        }
        return ssp.of(model(fields.grid()).tree(rates)).compile(fields).checkEvery(Integer.MAX_VALUE);
    }
}
