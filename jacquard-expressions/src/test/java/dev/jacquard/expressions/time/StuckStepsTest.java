package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Functions.where;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that follow from an estimate of their errors, and that make no progress. */
class StuckStepsTest {
    private static final Tag<Cell> U = Tag.cell("u");

    /** A body at rest, with friction greater than the force: it has no magnitude, and swings about 0. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void stepsThatStayAsShortAsCanBeEndTheRun(int order) {
        Expr<Cell> rate = where(U.atMost(0), U.times(0).plus(1.5), U.times(0).minus(0.5));
        assertMentions(
                assertThrows(ArithmeticException.class, () -> AdaptiveStepsTest.error(order, 1e-4, 0, rate, 1, t -> 0)),
                "[u] advance by steps of ",
                " alone at about t = ",
                "a rate jumps where the solution is");
    }
}
