package dev.jacquard.expressions.language;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.expressions.field.Location.Cell;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Expressions in the place of fields. */
@Timeout(180)
class InlineTest {
    private static final Tag<Cell> A = Tag.cell("a");

    private static void refused(Map<Tag<?>, Expr<?>> definitions) {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> A.plus(1).inline(definitions::get)),
                "reads that field, itself or by way of other fields");
    }

    @Test
    void aDefinitionThatReadsItsOwnFieldIsRefused() {
        refused(Map.of(A, A.times(2)));
        refused(Map.of(A, A));
    }

    @Test
    void soIsOneThatReadsItByWayOfVeryManyOthers() {
        Map<Tag<?>, Expr<?>> definitions = new HashMap<>();
        int length = 1_000;
        Tag<Cell> at = A;
        for (int i = 1; i <= length; i++) {
            Tag<Cell> next = i == length ? A : Tag.cell("a" + i);
            definitions.put(at, next.plus(1).times(next));
            at = next;
        }
        refused(definitions);
    }

    /** That is no circle, and long chains stay allowed, each of which is used twice. */
    @Test
    void aLongChainEnds() {
        Map<Tag<?>, Expr<?>> definitions = new HashMap<>();
        Tag<Cell> at = A;
        for (int i = 1; i <= 2_000; i++) {
            Tag<Cell> next = Tag.cell("a" + i);
            definitions.put(at, next.plus(next.times(2)));
            at = next;
        }
        assertEquals(Set.of(at), A.plus(1).inline(definitions::get).reads());
    }
}
