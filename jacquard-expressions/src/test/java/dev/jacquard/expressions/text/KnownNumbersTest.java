package dev.jacquard.expressions.text;

import static dev.jacquard.expressions.language.Functions.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.memory.data.DataType;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Numbers that are too small, or become so, in fields of floats. */
class KnownNumbersTest {
    private static final Tag<Cell> C = Tag.cell("c");
    private static final Tag<Cell> RESULT = Tag.cell("result");
    private static final ExpressionParser PARSER = ExpressionParser.of(1)
            .parameter("hbar", 1.054571817e-34)
            .parameter("m", 9.1093837e-31)
            .parameter("tiny", 1e-50)
            .field(C)
            .parameter("other");

    private Session session;
    private FieldStore fields;

    @BeforeEach
    void open() {
        session = Session.builder().workers(1).open();
        fields = FieldStore.open(session, Grid.of(4).type(DataType.FLOAT32));
        fields.set(C, (x, y, z) -> 1);
    }

    @AfterEach
    void close() {
        fields.close();
        session.close();
    }

    private double value(Assignment assignment, Map<String, Double> numbers) {
        assignment.submit(session.graph(), numbers);
        session.graph().await();
        return fields.values(RESULT)[0];
    }

    private Assignment assignment(String text) {
        return Assignment.of(fields, RESULT, PARSER.parse(text, Cell.class));
    }

    @Test
    void whatHasNumbersAloneIsComputedInDouble() {
        Assignment all = assignment("-hbar^2/(2*m)/hbar*c");
        assertEquals(Set.of(), all.parameters());
        assertEquals((float) -(1.054571817e-34 / (2 * 9.1093837e-31)), value(all, Map.of()), 1e-11);
        Expr<Cell> factor = number(1e-40);
        assertEquals(
                (float) 1e-20,
                value(Assignment.of(fields, RESULT, factor.times(1e20).times(C)), Map.of()));
    }

    /** It may have another number in each run. */
    @Test
    void aParameterAloneStaysOne() {
        assertEquals(Set.of("hbar"), assignment("hbar*c").parameters());
        Assignment both = assignment("2*other*c + m/hbar");
        assertEquals(Set.of("other"), both.parameters());
        assertEquals((float) (6 + 9.1093837e-31 / 1.054571817e-34), value(both, Map.of("other", 3.0)), 1e-2);
    }

    @Test
    void numbersThatWouldBecomeZeroAreRefused() {
        for (String text : new String[] {"1e-50*c", "hbar^2*c", "c + tiny/2"}) {
            IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> assignment(text), text);
            assertTrue(String.valueOf(error.getMessage()).contains("would be 0 in FLOAT32"), error.getMessage());
        }
        Assignment bare = assignment("tiny*c");
        IllegalArgumentException error =
                assertThrows(IllegalArgumentException.class, () -> value(bare, Map.of("tiny", 1e-50)));
        assertTrue(
                String.valueOf(error.getMessage()).startsWith("parameter \"tiny\" is 1.0E-50, which would be 0 in"),
                error.getMessage());
        assertEquals(0, value(bare, Map.of("tiny", 0.0)));
    }

    /** A quotient by one would be 0. */
    @Test
    void numbersThatWouldBecomeInfiniteAreRefused() {
        for (String text : new String[] {"c/1e39", "min(c, -1e300)", "c/tiny^-2"}) {
            IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> assignment(text), text);
            assertTrue(
                    String.valueOf(error.getMessage()).contains("would be infinite in FLOAT32, whose largest number"),
                    error.getMessage());
        }
        Assignment bare = assignment("c/tiny");
        IllegalArgumentException error =
                assertThrows(IllegalArgumentException.class, () -> value(bare, Map.of("tiny", 1e39)));
        assertTrue(
                String.valueOf(error.getMessage()).startsWith("parameter \"tiny\" is 1.0E39, which would be infinite"),
                error.getMessage());
        assertEquals(1 / 3e38, value(assignment("c/3e38"), Map.of()), 1e-44);
    }
}
