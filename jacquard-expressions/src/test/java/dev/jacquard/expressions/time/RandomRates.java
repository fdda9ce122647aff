package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.language.Operators.stencil;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Stencil;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * Drawn rates of one to three unknowns: diffusion, convection by central and upwind differences, decay, and what they
 * do to each other, with coefficients that differ in each cell, and drawn values. Confined to one thread.
 */
final class RandomRates {
    private final SplittableRandom random;
    private final Grid grid;
    private final List<Tag<Cell>> unknowns = new ArrayList<>();
    private final Map<Tag<Cell>, Expr<Cell>> rates = new LinkedHashMap<>();
    private final Map<Tag<Cell>, Double> given = new LinkedHashMap<>();
    private final List<Condition> conditions = new ArrayList<>();

    RandomRates(long seed, int[] cells, int most) {
        random = new SplittableRandom(seed);
        double[] lengths = new double[cells.length];
        Arrays.setAll(lengths, axis -> cells[axis]);
        grid = Grid.of(cells).lengths(lengths).ghosts(1);
        int count = random.nextInt(1, most + 1);
        for (int i = 0; i < count; i++) {
            unknowns.add(Tag.cell("u" + i));
        }
        for (int axis = 0; axis < cells.length; axis++) {
            conditions.add(
                    random.nextInt(3) == 0
                            ? random.nextBoolean() ? Condition.dirichlet(0) : Condition.neumann(0)
                            : Condition.periodic());
        }
        for (Tag<Cell> unknown : unknowns) {
            rates.put(unknown, rate(unknown));
        }
    }

    private Expr<Cell> rate(Tag<Cell> unknown) {
        int kind = random.nextInt(4);
        Expr<Cell> sum = unknown.times(0);
        if (kind != 1) {
            sum = sum.plus(diffusion(unknown, 1));
        }
        if (kind != 0) {
            sum = sum.plus(random.nextInt(3) > 0 ? convection(unknown, 1) : upwind(unknown));
        }
        if (random.nextBoolean()) {
            sum = sum.minus(field(0, 1.5).times(unknown));
        }
        for (Tag<Cell> other : unknowns) {
            if (!other.equals(unknown) && random.nextBoolean()) {
                sum = switch (random.nextInt(5)) {
                    case 0 -> sum.plus(diffusion(other, 0.4));
                    case 1 -> sum.plus(convection(other, random.nextBoolean() ? 1 : -1));
                    case 2 -> sum.minus(field(0, 1).times(other).times(unknown));
                    case 3 -> sum.plus(laplacian(unknown.times(other)).times(0.01));
                    default -> sum.plus(field(-1, 1).times(other));
                };
            }
        }
        return sum;
    }

    private Tag<Cell> field(double least, double most) {
        Tag<Cell> tag = Tag.cell("k" + given.size());
        given.put(tag, least);
        given.put(Tag.cell(tag.name() + " most"), most);
        return tag;
    }

    private Expr<Faces> onFaces(double most) {
        return faces(field(0.05 * most, most));
    }

    private Expr<Cell> diffusion(Tag<Cell> of, double most) {
        return div(onFaces(most).times(grad(of)));
    }

    private Expr<Cell> convection(Tag<Cell> of, double factor) {
        return div(onFaces(1).times(faces(of))).times(-factor);
    }

    private Expr<Cell> upwind(Tag<Cell> of) {
        Stencil stencil = Stencil.builder().at(0, 0, 0, -1).at(-1, 0, 0, 1).build();
        return stencil(field(0.05, 1).times(of), stencil);
    }

    /** Does something with a store that has the drawn values, and steps of an order. */
    <T> T with(Session session, int order, BiFunction<FieldStore, Integrator, T> use) {
        try (FieldStore fields = FieldStore.open(session, grid)) {
            SplittableRandom values = new SplittableRandom(unknowns.size() + 7L * given.size());
            List<Tag<Cell>> names = List.copyOf(given.keySet());
            Model model = Model.of(grid);
            for (int i = 0; i < names.size(); i += 2) {
                double least = Objects.requireNonNull(given.get(names.get(i)));
                double most = Objects.requireNonNull(given.get(names.get(i + 1)));
                double[] drawn = values.doubles(cells()).toArray();
                fields.set(names.get(i), (x, y, z) -> least + (most - least) * drawn[cell(x, y, z)]);
                model.source(names.get(i));
            }
            Ssp ssp = Ssp.order(order);
            List<Tag<Cell>> all = new ArrayList<>();
            for (Tag<Cell> unknown : unknowns) {
                double[] drawn = values.doubles(cells()).toArray();
                fields.set(unknown, (x, y, z) -> drawn[cell(x, y, z)]);
                model.source(unknown);
            }
            for (Tag<Cell> unknown : unknowns) {
                Tag<Cell> rate = Tag.cell("d" + unknown);
                model.define(rate, Objects.requireNonNull(rates.get(unknown)));
                all.add(rate);
                ssp = ssp.advance(unknown, rate);
            }
            Ssp.Of steps = ssp.of(model.tree(all));
            for (Tag<Cell> unknown : unknowns) {
                for (Side side : Side.values()) {
                    steps = side.axis() < grid.dimensions()
                            ? steps.boundary(unknown, side, conditions.get(side.axis()))
                            : steps;
                }
            }
            return use.apply(fields, steps.compile(fields));
        }
    }

    /** Returns the matrix of derivatives, by Euler steps from values a little more and a little less. */
    double[][] matrix(Session session) {
        return with(session, 1, (fields, euler) -> {
            int cells = cells();
            double[][] base = new double[unknowns.size()][];
            for (int i = 0; i < base.length; i++) {
                base[i] = fields.values(unknowns.get(i));
            }
            int size = cells * base.length;
            double[][] matrix = new double[size][size];
            for (int column = 0; column < size; column++) {
                double[] more = change(fields, euler, base, column, 1);
                double[] less = change(fields, euler, base, column, -1);
                for (int row = 0; row < size; row++) {
                    matrix[row][column] = (more[row] - less[row]) / 2;
                }
            }
            return matrix;
        });
    }

    private int cells() {
        return (int) grid.interior(Centring.CELL).points();
    }

    /** Returns the number of the cell at a point; of ghosts that of the cell at the other end. */
    private int cell(double x, double y, double z) {
        int atX = Math.floorMod((int) Math.floor(x), grid.cells(0));
        int atY = Math.floorMod((int) Math.floor(y), grid.cells(1));
        int atZ = Math.floorMod((int) Math.floor(z), grid.cells(2));
        return atX + grid.cells(0) * (atY + grid.cells(1) * atZ);
    }

    /** Returns the changes of all values in an Euler step of length 1, with one of them changed before. */
    private double[] change(FieldStore fields, Integrator euler, double[][] base, int column, double by) {
        double[][] values = new double[base.length][];
        for (int i = 0; i < base.length; i++) {
            values[i] = base[i].clone();
        }
        int cells = base[0].length;
        values[column / cells][column % cells] += by;
        for (int i = 0; i < base.length; i++) {
            double[] its = values[i];
            fields.set(unknowns.get(i), (x, y, z) -> its[cell(x, y, z)]);
        }
        euler.step(1);
        double[] changes = new double[cells * base.length];
        for (int i = 0; i < base.length; i++) {
            double[] after = fields.values(unknowns.get(i));
            for (int cell = 0; cell < cells; cell++) {
                changes[i * cells + cell] = after[cell] - values[i][cell];
            }
        }
        return changes;
    }

    @Override
    public String toString() {
        return grid + ", " + conditions + ", " + unknowns.size() + " unknowns";
    }
}
