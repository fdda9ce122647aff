package dev.jacquard.expressions.language;

import static dev.jacquard.expressions.language.Operators.laplacian;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.memory.data.DataType;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Grids whose spacings, or powers of them, are near the ends of the range of their type. */
@Timeout(180)
class FactorsTest {
    private static final Tag<Cell> C = Tag.cell("c");
    private static final Tag<Cell> R = Tag.cell("r");

    private static double[] compute(DataType type, double h, Expr<Cell> expression) {
        Grid grid = Grid.of(16).lengths(16 * h).ghosts(2).type(type);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(C, (x, y, z) -> Math.sin(x / h));
            Assignment.of(fields, R, expression).submit(session.graph());
            session.graph().await();
            return fields.values(R);
        }
    }

    /** Steps that are written so that each is near 1 stay so. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-10, 1e-4, 1, 1e5, 1e12})
    void derivativesThatAreScaledByTheUserStayInRange(double h) {
        Expr<Cell> potential = laplacian(C).times(h * h);
        Expr<Cell> twice = laplacian(potential).times(h * h);
        Expr<Cell> square = laplacian(C).times(h * h).times(laplacian(C)).times(h * h);
        double damping = 2 * Math.cos(1) - 2; // of the second difference of a sine
        double[] seen = compute(DataType.FLOAT32, h, twice);
        double[] squares = compute(DataType.FLOAT32, h, square);
        for (int i = 0; i < seen.length; i++) {
            double sine = Math.sin(i + 0.5);
            assertEquals(damping * damping * sine, seen[i], 2e-6, "point " + i);
            assertEquals(damping * damping * sine * sine, squares[i], 2e-6, "square at point " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-9, 1, 1e9})
    void highPowersOfDerivativesStayInRange(double h) {
        Expr<Cell> power = laplacian(C).times(h * h);
        for (int i = 0; i < 17; i++) {
            power = power.times(laplacian(C)).times(h * h);
        }
        double[] seen = compute(DataType.FLOAT64, h, power);
        for (int i = 0; i < seen.length; i++) {
            double one = (2 * Math.cos(1) - 2) * Math.sin(i + 0.5);
            assertEquals(Math.pow(one, 18), seen[i], 1e-9, "point " + i);
        }
    }
}
