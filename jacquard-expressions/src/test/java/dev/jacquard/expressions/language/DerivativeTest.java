package dev.jacquard.expressions.language;

import static dev.jacquard.expressions.language.Functions.derivative;
import static dev.jacquard.expressions.language.Functions.max;
import static dev.jacquard.expressions.language.Functions.min;
import static dev.jacquard.expressions.language.Functions.number;
import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.expressions.language.Functions.pow;
import static dev.jacquard.expressions.language.Functions.sqrt;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.FieldStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Derivatives at kinks and at 0: they do not depend on the spelling. */
class DerivativeTest {
    private static final Grid GRID = Grid.of(4);
    private static final Tag<Cell> A = Tag.cell("a");
    private static final Tag<Cell> B = Tag.cell("b");
    private static final Tag<Cell> CHANGE = Tag.cell("change");
    private static final Tag<Cell> RESULT = Tag.cell("result");
    private static final Expr<Cell> ZERO = number(0);

    /** The derivatives at a = 0, 1, 2, 3, where b is 2. */
    private static double[] at(Expr<Cell> expression, Map<String, Double> parameters) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(A, (x, y, z) -> Math.rint(x / GRID.spacing(0) - 0.5));
            fields.set(B, (x, y, z) -> 2);
            fields.set(CHANGE, (x, y, z) -> 1);
            Assignment.of(fields, RESULT, derivative(expression, A, CHANGE)).submit(session.graph(), parameters);
            return fields.values(RESULT);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, 0, 0.5, 1, 1.5, 2, 3})
    void aPowerThatIsAParameterIsAsOneThatIsANumber(double power) {
        double[] expected = new double[4];
        for (int a = 0; a < 4; a++) {
            expected[a] = power == 0 ? 0 : power * Math.pow(a, power - 1);
        }
        assertArrayEquals(expected, at(pow(A, number(power)), Map.of()), 1e-13);
        assertArrayEquals(expected, at(pow(A, parameter("p")), Map.of("p", power)), 1e-13);
    }

    @Test
    void aRootIsAPower() {
        double[] root = at(sqrt(A), Map.of());
        assertEquals(Double.POSITIVE_INFINITY, root[0]);
        assertArrayEquals(root, at(pow(A, number(0.5)), Map.of()), 1e-15);
    }

    @Test
    void theOrderOfArgumentsDoesNotMatter() {
        assertArrayEquals(new double[] {0, 1, 1, 1}, at(max(A, ZERO), Map.of()));
        assertArrayEquals(new double[] {0, 1, 1, 1}, at(max(ZERO, A), Map.of()));
        assertArrayEquals(new double[] {1, 1, 0, 0}, at(min(A, B), Map.of()));
        assertArrayEquals(new double[] {1, 1, 0, 0}, at(min(B, A), Map.of()));
        Expr<Cell> square = A.times(A);
        Expr<Cell> twice = A.times(2);
        assertArrayEquals(new double[] {1, 2, 3, 6}, at(max(square, twice), Map.of()));
        assertArrayEquals(new double[] {1, 2, 3, 6}, at(max(twice, square), Map.of()));
    }
}
