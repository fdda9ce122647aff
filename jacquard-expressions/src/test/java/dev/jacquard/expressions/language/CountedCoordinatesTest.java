package dev.jacquard.expressions.language;

import static dev.jacquard.expressions.language.Functions.coordinate;
import static dev.jacquard.expressions.language.Functions.derivative;
import static dev.jacquard.expressions.language.Functions.whole;
import static dev.jacquard.expressions.language.Functions.x;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.FieldStore;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Coordinates that are counted from the point of a whole. */
class CountedCoordinatesTest {
    private static final Grid GRID = Grid.of(7).lengths(0.9).ghosts(2);
    private static final Tag<Cell> A = Tag.cell("a");
    private static final Tag<Cell> CHANGE = Tag.cell("change");
    private static final Tag<Cell> INDEX = Tag.cell("index");
    private static final Tag<Cell> RESULT = Tag.cell("result");
    private static final Expr<Cell> COUNTED = coordinate(0, INDEX);

    /** Returns the values where each point has its own number, and the number of the third. */
    private static double[][] values(Expr<Cell> expression) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(A, (x, y, z) -> 1 + x * x);
            fields.set(CHANGE, (x, y, z) -> Math.cos(x));
            fields.set(INDEX, (x, y, z) -> Math.rint(x / GRID.spacing(0) - 0.5));
            Assignment.of(fields, RESULT, expression).submit(session.graph());
            double[] own = fields.values(RESULT);
            fields.set(INDEX, (x, y, z) -> 2);
            Assignment.of(fields, RESULT, expression).submit(session.graph());
            return new double[][] {own, fields.values(RESULT)};
        }
    }

    @Test
    void theyAreThoseOfThePointThatTheIndexSays() {
        double[][] found = values(whole(dx(COUNTED.times(COUNTED)).plus(div(grad(COUNTED.times(A))))));
        assertArrayEquals(values(dx(Functions.<Cell>x().times(x())).plus(div(grad(A.times(x())))))[0], found[0]);
        assertArrayEquals(values(x())[0], values(whole(COUNTED))[0]);
        for (double third : values(whole(dx(COUNTED.times(COUNTED))))[1]) {
            assertEquals(2 * 2.5 * GRID.spacing(0), third, 1e-14);
        }
    }

    /** A whole inside of another one has its own point, also where an operator takes it. */
    @Test
    void wholesMayLieWithinWholes() {
        Expr<Cell> inner = whole(dx(COUNTED.times(COUNTED)).times(A));
        double[][] found = values(whole(dx(inner.plus(COUNTED))));
        Expr<Cell> slope = dx(Functions.<Cell>x().times(x())).times(A);
        assertArrayEquals(values(dx(slope.plus(x())))[0], found[0]);
        double[] expected = values(dx(A.times(5 * GRID.spacing(0))).plus(1))[1];
        assertArrayEquals(expected, found[1], 1e-13);
    }

    @Test
    void theyAreDifferentiatedAsCoordinates() {
        Expr<Cell> plain = dx(A.times(A).times(x()));
        Expr<Cell> counted = whole(dx(A.times(A).times(COUNTED)));
        assertArrayEquals(values(derivative(plain, A, CHANGE))[0], values(derivative(counted, A, CHANGE))[0]);
        assertEquals(Set.of(A, INDEX), counted.reads());
        assertArrayEquals(new double[7], values(derivative(whole(dx(COUNTED)), A, CHANGE))[0]);
    }

    @Test
    void aWholeIsNeeded() {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> values(dx(COUNTED))),
                "a coordinate along x is counted from the point of a whole, and there is none",
                "Functions.whole makes one");
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> values(whole(dx(coordinate(1, INDEX))))),
                "an expression goes along y");
    }
}
