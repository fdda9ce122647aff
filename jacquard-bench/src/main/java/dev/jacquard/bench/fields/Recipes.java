package dev.jacquard.bench.fields;

import static dev.jacquard.bench.fields.Inputs.value;
import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Functions.where;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faceX;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.gradX;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.language.Operators.stencil;

import dev.jacquard.bench.fields.Inputs.PointValue;
import dev.jacquard.bench.fields.Recipe.Step;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Stencil;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.List;

/** The computations, in Jacquard's language and as simple code; {@code cells} is the number along each axis. */
final class Recipes {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Cell> RESULT = Tag.cell("result");
    private static final Tag<FaceX> ON_FACES = Tag.faceX("result on faces");
    private static final Tag<FaceX> VELOCITY = Tag.faceX("velocity");
    private static final double TRIAD_FACTOR = 3;

    private Recipes() {}

    /** The right-hand side of the heat equation: 7 points, conductivity at cells. */
    static Recipe heat(int cells) {
        Expr<Cell> rhs = div(faces(K).times(grad(T)));
        return Recipe.of(cube(cells, 1), List.of(T, K), RESULT, rhs, heatValue(cells), "heat", "heat-tiled");
    }

    /** The same in single precision. */
    static Recipe singleHeat(int cells) {
        Recipe its = heat(cells);
        return new Recipe(its.grid().type(DataType.FLOAT32), its.inputs(), its.steps(), its.expected(), its.loops());
    }

    /** The same, one operator at a time: means, gradients, fluxes, divergence. */
    static Recipe unfused(int cells) {
        Recipe fused = heat(cells);
        Tag<Faces> means = Tag.faces("means");
        Tag<Faces> gradients = Tag.faces("gradients");
        Tag<Faces> fluxes = Tag.faces("fluxes");
        List<Step<?>> steps = List.of(
                new Step<>(means, faces(K)),
                new Step<>(gradients, grad(T)),
                new Step<>(fluxes, means.times(gradients)),
                new Step<>(RESULT, div(fluxes)));
        return new Recipe(fused.grid(), fused.inputs(), steps, fused.expected(), List.of());
    }

    private static PointValue heatValue(int cells) {
        double factor = 0.5 * cells * cells;
        return (x, y, z) -> {
            double t = value(0, x, y, z);
            double k = value(1, x, y, z);
            double sum = 0;
            for (int to = -1; to <= 1; to += 2) {
                sum += (k + value(1, x + to, y, z)) * (value(0, x + to, y, z) - t);
                sum += (k + value(1, x, y + to, z)) * (value(0, x, y + to, z) - t);
                sum += (k + value(1, x, y, z + to)) * (value(0, x, y, z + to) - t);
            }
            return factor * sum;
        };
    }

    /** STREAM's triad: a = b + s·c. */
    static Recipe triad(int cells) {
        return triad(cube(cells, 0));
    }

    /** The same on arrays that have as many elements as another grid has cells. */
    static Recipe triad(Grid like) {
        PointValue expected = (x, y, z) -> value(0, x, y, z) + TRIAD_FACTOR * value(1, x, y, z);
        Expr<Cell> sum = T.plus(K.times(TRIAD_FACTOR));
        return Recipe.of(like.ghosts(0), List.of(T, K), RESULT, sum, expected, "triad");
    }

    /** The Laplacian of fourth order: 13 points. */
    static Recipe order4(int cells) {
        double scale = (double) cells * cells;
        Stencil.Builder points = Stencil.builder().at(0, 0, 0, -7.5 * scale);
        for (int distance = 1; distance <= 2; distance++) {
            double weight = (distance == 1 ? 4.0 / 3 : -1.0 / 12) * scale;
            for (int to : new int[] {-distance, distance}) {
                points.at(to, 0, 0, weight).at(0, to, 0, weight).at(0, 0, to, weight);
            }
        }
        return weighted(cube(cells, 2), points.build(), "order4", "order4-grouped");
    }

    /** The Laplacian of 27 points. */
    static Recipe points27(int cells) {
        double[] weights = {-128.0 / 30, 14.0 / 30, 3.0 / 30, 1.0 / 30}; // by the number of axes that differ
        Stencil.Builder points = Stencil.builder();
        for (int z = -1; z <= 1; z++) {
            for (int y = -1; y <= 1; y++) {
                for (int x = -1; x <= 1; x++) {
                    points.at(x, y, z, weights[x * x + y * y + z * z] * cells * cells);
                }
            }
        }
        return weighted(cube(cells, 1), points.build(), "points27", "points27-grouped");
    }

    private static Recipe weighted(Grid grid, Stencil stencil, String... loops) {
        PointValue expected = (x, y, z) -> {
            double sum = 0;
            for (Stencil.Point point : stencil.points()) {
                sum += point.weight() * value(0, x + point.dx(), y + point.dy(), z + point.dz());
            }
            return sum;
        };
        return Recipe.of(grid, List.of(T), RESULT, stencil(T, stencil), expected, loops);
    }

    /** The Laplacian of 5 points in a plane. */
    static Recipe plane(int cells) {
        double scale = (double) cells * cells;
        PointValue expected = (x, y, z) -> scale
                * (value(0, x - 1, y, z)
                        + value(0, x + 1, y, z)
                        + value(0, x, y - 1, z)
                        + value(0, x, y + 1, z)
                        - 4 * value(0, x, y, z));
        Grid grid = Grid.of(cells, cells).lengths(1, 1).ghosts(1);
        return Recipe.of(grid, List.of(T), RESULT, laplacian(T), expected, "plane");
    }

    /** The right-hand side of Cahn and Hilliard's equation in a plane: a stencil of a stencil. */
    static Recipe cahnHilliard(int cells) {
        double scale = (double) cells * cells;
        PointValue potential = (x, y, z) -> {
            double here = value(0, x, y, z);
            return here * here * here - here - scale * bend((i, j, k) -> value(0, i, j, k), x, y, z);
        };
        Expr<Cell> rhs = laplacian(T.times(T).times(T).minus(T).minus(laplacian(T)));
        Grid grid = Grid.of(cells, cells).lengths(1, 1).ghosts(2);
        PointValue expected = (x, y, z) -> scale * bend(potential, x, y, z);
        return Recipe.of(grid, List.of(T), RESULT, rhs, expected, "cahn-hilliard");
    }

    private static double bend(PointValue of, int x, int y, int z) {
        return of.at(x - 1, y, z) + of.at(x + 1, y, z) + of.at(x, y - 1, z) + of.at(x, y + 1, z) - 4 * of.at(x, y, z);
    }

    /** The flux across x, on faces. */
    static Recipe face(int cells) {
        double factor = 0.5 * cells;
        PointValue expected = (x, y, z) ->
                factor * (value(0, x, y, z) - value(0, x - 1, y, z)) * (value(1, x, y, z) + value(1, x - 1, y, z));
        return Recipe.of(cube(cells, 1), List.of(T, K), ON_FACES, gradX(T).times(faceX(K)), expected, "face");
    }

    /** The upwind flux: the amount that the velocity on faces carries from the cell that it comes from. */
    static Recipe upwind(int cells) {
        Expr<FaceX> half = gradX(T).times(0.5 / cells);
        Expr<FaceX> mean = faceX(T);
        Expr<FaceX> flux = VELOCITY.times(where(VELOCITY.lessThan(0), mean.plus(half), mean.minus(half)));
        PointValue expected = (x, y, z) -> {
            double velocity = value(1, x, y, z);
            return velocity * value(0, velocity < 0 ? x : x - 1, y, z);
        };
        return Recipe.of(cube(cells, 1), List.of(T, VELOCITY), ON_FACES, flux, expected, "where");
    }

    /** The exponential of numbers in a row. */
    static Recipe exponential(int cells) {
        Grid grid = Grid.of(cells).lengths(1);
        return Recipe.of(grid, List.of(T), RESULT, exp(T), (x, y, z) -> Math.exp(value(0, x, y, z)), "exp");
    }

    /** Many simple expressions on a row of cells, each of the result of the one before. */
    static Recipe chain(int cells, int expressions) {
        List<Step<?>> steps = new ArrayList<>();
        Tag<Cell> before = T;
        for (int i = 0; i < expressions; i++) {
            Tag<Cell> next = i == expressions - 1 ? RESULT : Tag.cell("step " + i);
            Expr<Cell> its = switch (i % 3) {
                case 0 -> before.times(0.5).plus(K);
                case 1 -> before.minus(K).times(0.75);
                default -> before.plus(K.times(before));
            };
            steps.add(new Step<>(next, its));
            before = next;
        }
        PointValue expected = (x, y, z) -> {
            double t = value(0, x, y, z);
            double k = value(1, x, y, z);
            for (int i = 0; i < expressions; i++) {
                t = i % 3 == 0 ? t * 0.5 + k : i % 3 == 1 ? (t - k) * 0.75 : t + k * t;
            }
            return t;
        };
        return new Recipe(Grid.of(cells).lengths(1), List.of(T, K), steps, expected, List.of());
    }

    private static Grid cube(int cells, int ghosts) {
        return Grid.of(cells, cells, cells).lengths(1, 1, 1).ghosts(ghosts);
    }
}
