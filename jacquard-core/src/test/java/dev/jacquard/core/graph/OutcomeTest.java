package dev.jacquard.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    private final Outcome failed = Outcome.failed("a", new IOException("gone"), "worker 0");

    private Outcome after(int steps) {
        Outcome last = failed;
        for (int i = 1; i <= steps; i++) {
            last = Outcome.cancelled("s" + i, last);
        }
        return last;
    }

    @Test
    void aShortPathIsNamedWhole() {
        assertEquals("\"a\"", failed.path());
        assertEquals("\"a\" -> \"s1\" -> \"s2\"", after(2).path());
        assertEquals("\"a\" -> \"s1\" -> \"s2\" -> \"s3\" -> \"s4\" -> \"s5\" -> \"s6\" -> \"s7\"", after(7).path());
    }

    @Test
    void ofALongPathTheEndsAreNamedAndNothingElseIsKept() {
        Outcome last = after(100_000);
        assertEquals(
                "\"a\" -> \"s1\" -> \"s2\" -> \"s3\" -> … 99993 more … -> \"s99997\" -> \"s99998\" -> \"s99999\""
                        + " -> \"s100000\"",
                last.path());
        assertSame(failed, last.root());
        assertSame(failed, last.origin(), "no outcome between is kept");
        assertEquals(4, last.head().size());
        assertEquals(4, last.tail().size());
    }

    @Test
    void aCancelledGraphIsNoFailure() {
        Outcome cancelled = Outcome.cancelled("a", null);
        assertNull(cancelled.root());
        assertTrue(!cancelled.isConsequence() && !cancelled.isFailure());
    }
}
