package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.max;
import static dev.jacquard.expressions.language.Functions.sqrt;
import static dev.jacquard.expressions.language.Functions.where;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceZ;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.memory.data.Data;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Fields and expressions that cannot be: what is refused says what is wrong. */
@SuppressWarnings("NullAway") // that is what is wrong
class FieldErrorsTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<FaceZ> W = Tag.faceZ("w");

    private static void refused(Class<? extends RuntimeException> as, Executable call, String... parts) {
        assertMentions(assertThrows(as, call), parts);
    }

    /** Squares of some fields are larger, or smaller, than doubles are. */
    @Test
    void theRootOfTheMeanSquareHasNoLimitsOfItsOwn() {
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(8, 8))) {
            for (double value : new double[] {0, 1e-320, -1e-163, 3, 1e155, -Double.MAX_VALUE}) {
                fields.set(T, (x, y, z) -> value);
                assertEquals(Math.abs(value), fields.norm2(T), Math.ulp(value));
            }
            fields.set(T, (x, y, z) -> x < 4 ? Double.POSITIVE_INFINITY : 1);
            assertEquals(Double.POSITIVE_INFINITY, fields.norm2(T));
            fields.set(T, (x, y, z) -> x < 4 ? Double.NaN : 1e200);
            assertEquals(Double.NaN, fields.norm2(T));
        }
    }

    /** The rest of the values is not set, and the field is set again later. */
    @Test
    void anInterruptEndsTheSettingOfValues() {
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(8, 8))) {
            int[] points = {0};
            refused(
                    CancellationException.class,
                    () -> fields.set(T, (x, y, z) -> {
                        points[0]++;
                        Thread.currentThread().interrupt();
                        return 1;
                    }),
                    "interrupted while the values of a field were set");
            assertTrue(Thread.interrupted());
            assertEquals(8, points[0], "the values of a row");
            refused(IllegalStateException.class, () -> fields.values(T));
            fields.set(T, (x, y, z) -> 2);
            assertEquals(2, fields.max(T));
        }
    }

    @Test
    void facesAcrossAnAxisThatTheGridLacks() {
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(8, 8).ghosts(1))) {
            String[] parts = {"\"w\" on faces across z", "8x8"};
            refused(IllegalArgumentException.class, () -> fields.set(W, (x, y, z) -> 0), parts);
            refused(IllegalArgumentException.class, () -> fields.values(W), parts);
            refused(IllegalArgumentException.class, () -> Assignment.of(fields, W, W), parts);
            MemorySegment memory = MemorySegment.ofArray(new double[1_000]);
            refused(IllegalArgumentException.class, () -> fields.external(W, memory), parts);
        }
    }

    @Test
    void twoResultsInOneField() {
        Tag<Cell> one = Tag.cell("one");
        Tag<Cell> two = Tag.cell("two");
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(8))) {
            fields.set(T, (x, y, z) -> x);
            fields.alias(one, two);
            ExpressionTree tree = Model.of(fields.grid())
                    .source(T)
                    .define(one, T.plus(1))
                    .define(two, T.plus(2))
                    .tree(one, two);
            refused(IllegalArgumentException.class, () -> tree.compile(fields), "\"one\"", "\"two\"", "alias");
        }
    }

    /** The values from before are overwritten in part. */
    @Test
    void aFunctionThatThrowsLeavesNoValues() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(8))) {
            fields.set(T, (x, y, z) -> 1);
            refused(
                    ArithmeticException.class,
                    () -> fields.set(T, (x, y, z) -> {
                        if (x > 4) {
                            throw new ArithmeticException("none");
                        }
                        return 2;
                    }),
                    "none");
            refused(IllegalStateException.class, () -> fields.max(T), "\"T\" has no values", "set it again");
            fields.set(T, (x, y, z) -> 3);
            assertEquals(3, fields.max(T));
        }
    }

    @Test
    void nothingInThePlaceOfSomething() {
        Class<NullPointerException> as = NullPointerException.class;
        Expr<Cell> none = null;
        refused(as, () -> T.plus(none), "expression");
        refused(as, () -> max(T, none), "expression");
        refused(as, () -> sqrt(none), "expression");
        refused(as, () -> where(null, T, T), "condition");
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(8, 8).ghosts(1))) {
            refused(as, () -> Assignment.of(fields, T, none), "expression");
            refused(as, () -> fields.external(T, (MemorySegment) null), "memory");
            refused(as, () -> fields.external(T, (Data) null), "data");
            refused(as, () -> fields.values((Tag<?>) null), "tag");
        }
    }
}
