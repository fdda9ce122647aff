package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Functions.abs;
import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Functions.max;
import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.expressions.language.Functions.pow;
import static dev.jacquard.expressions.language.Functions.sqrt;
import static dev.jacquard.expressions.language.Functions.where;
import static dev.jacquard.expressions.language.Functions.x;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.language.Operators.stencil;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Stencil;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Body;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.memory.data.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Partial derivatives, whose sum is the derivative along any direction. */
class PartialsTest {
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Cell> DIRECTION = Tag.cell("d");
    private static final Grid GRID = Grid.of(5, 4, 3).lengths(5, 8, 9).ghosts(3);
    /** The points of a field along each axis, ghosts included. */
    private static final int WIDTH = 11;

    static List<Expr<Cell>> rates() {
        Stencil.Builder far = Stencil.builder();
        for (int i = -3; i <= 3; i++) {
            for (int j = -3; j <= 3; j++) {
                far.at(i, j, 0, 0.1 * i + j + 0.5);
            }
        }
        return List.of(
                U.times(U).times(3),
                laplacian(U),
                div(faces(K.times(U)).times(grad(U))),
                exp(U.negate()).times(U).dividedBy(K.plus(2)),
                where(U.lessThan(K), laplacian(U), U.pow(3)).minus(max(U, K)),
                pow(abs(U).plus(1), K).plus(sqrt(U.times(U).plus(1))).times(parameter("p")),
                K.times(x()).minus(laplacian(laplacian(U).times(U))),
                stencil(U.times(U), far.build()));
    }

    @ParameterizedTest
    @MethodSource("rates")
    void makeUpTheDerivative(Expr<Cell> rate) {
        Lowering.Plan plan = Lowering.loops(GRID, Cell.class, Functions.derivative(rate, U, DIRECTION))
                .getFirst();
        List<Tag<?>> tags = new ArrayList<>();
        plan.inputs().forEach(input -> tags.add(input.tag()));
        Partials partials = Partials.of(plan.body(), tags.indexOf(DIRECTION));
        SplittableRandom random = new SplittableRandom(7);
        List<double[]> fields = tags.stream()
                .map(tag -> random.doubles((long) WIDTH * WIDTH * WIDTH, -2, 2).toArray())
                .toList();
        double[] whole = run(plan.body(), fields).getFirst();
        List<double[]> parts = partials.bodies().stream()
                .flatMap(body -> run(body, fields).stream())
                .toList();
        assertEquals(partials.distances().size(), parts.size());
        double[] direction = fields.get(tags.indexOf(DIRECTION));
        for (int z = 0; z < GRID.cells(2); z++) {
            for (int y = 0; y < GRID.cells(1); y++) {
                for (int x = 0; x < GRID.cells(0); x++) {
                    double sum = 0;
                    double size = 0;
                    for (int i = 0; i < parts.size(); i++) {
                        Element by = partials.distances().get(i);
                        double term = parts.get(i)[at(x, y, z)] * direction[at(x + by.dx(), y + by.dy(), z + by.dz())];
                        sum += term;
                        size += Math.abs(term);
                    }
                    assertEquals(whole[at(x, y, z)], sum, 1e-13 * size);
                }
            }
        }
        assertTrue(Arrays.stream(whole).anyMatch(value -> value != 0));
    }

    private static int at(int x, int y, int z) {
        return x + 3 + WIDTH * (y + 3 + WIDTH * (z + 3));
    }

    private static List<double[]> run(Body body, List<double[]> fields) {
        List<double[]> results = IntStream.range(0, body.results().size())
                .mapToObj(any -> new double[WIDTH * WIDTH * WIDTH])
                .toList();
        List<Binding.Place> places = new ArrayList<>();
        fields.forEach(field -> places.add(place(field)));
        results.forEach(result -> places.add(place(result)));
        double[] parameters = body.parameters().stream().mapToDouble(any -> 0.7).toArray();
        new Loops()
                .loop(body, Loops.Form.PLAIN)
                .run(
                        new Binding(body, places),
                        parameters,
                        new Range(0, GRID.cells(0), 0, GRID.cells(1), 0, GRID.cells(2)));
        return results;
    }

    private static Binding.Place place(double[] field) {
        return new Binding.Place(
                MemorySegment.ofArray(field),
                at(0, 0, 0) * (long) Double.BYTES,
                WIDTH * (long) Double.BYTES,
                WIDTH * WIDTH * (long) Double.BYTES);
    }

    @Test
    void areNoneWithoutTheField() {
        Lowering.Plan plan = Lowering.loops(GRID, Cell.class, Functions.derivative(K.times(2), U, DIRECTION))
                .getFirst();
        Partials partials = Partials.of(plan.body(), -1);
        assertEquals(List.of(), partials.distances());
        assertEquals(List.of(), partials.bodies());
    }

    @Test
    void needAnExpressionThatIsLinear() {
        Lowering.Plan plan = Lowering.loops(GRID.type(ElementType.FLOAT32), Cell.class, sqrt(DIRECTION))
                .getFirst();
        assertThrows(IllegalStateException.class, () -> Partials.of(plan.body(), 0));
    }
}
