package dev.jacquard.core.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.ElementType;
import dev.jacquard.core.data.View;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.session.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks on the host that access one data in several ways, which overlap. */
@Timeout(60)
class OverlappingAccessesTest {
    private static void fill(Session session, View part, long value) {
        session.graph().task("fill").writes(part).run(context -> {
            for (long i = 0; i < part.box().extent(0); i++) {
                context.memory(part).setLong(i, value);
            }
        });
    }

    /** Writes the first element of {@code one}; returns what it finds at {@code index} of {@code other}. */
    private static long writesAndReads(TaskContext context, View one, View other, long index) {
        context.memory(one).setLong(0, 42);
        return context.memory(other).getLong(index);
    }

    @Test
    void aTileAndItsHaloAreOneMemory() {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", ElementType.INT64, 8);
            View tile = x.rows(2, 4);
            View halo = tile.halo(1);
            fill(session, x.rows(0, 2), 1);
            fill(session, tile, 2); // in memory of its own
            fill(session, x.rows(4, 8), 3);
            assertEquals(
                    42,
                    session.graph()
                            .task("both")
                            .updates(tile)
                            .reads(halo)
                            .call(context -> writesAndReads(context, tile, halo, 1))
                            .join());
            assertEquals(
                    42,
                    session.graph()
                            .task("later")
                            .reads(x)
                            .call(context -> context.memory(x).getLong(2))
                            .join());
        }
    }

    @Test
    void partsThatLieAcrossAreOneMemory() {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", ElementType.INT64, 8);
            View left = x.rows(0, 4);
            View right = x.rows(2, 6);
            fill(session, x.rows(0, 2), 1);
            fill(session, right, 2); // in memory of its own
            fill(session, left, 3);
            assertEquals(
                    42,
                    session.graph()
                            .task("both")
                            .reads(left)
                            .updates(right)
                            .call(context -> writesAndReads(context, right, left, 2))
                            .join());
            assertEquals(
                    45,
                    session.graph()
                            .task("later")
                            .reads(x.rows(1, 4))
                            .call(context -> context.memory(x.rows(1, 3)).getLong(1)
                                    + context.memory(x.rows(1, 4)).getLong(2))
                            .join());
        }
    }

    @Test
    void whatIsOverwrittenIsThereForTheReadOfTheSameTask() {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", ElementType.INT64, 8);
            View part = x.rows(0, 4);
            fill(session, part, 3);
            assertEquals(
                    45,
                    session.graph()
                            .task("both")
                            .reads(x.rows(0, 2))
                            .writes(x.rows(1, 8))
                            .call(context -> {
                                long before = context.memory(x.rows(0, 2)).getLong(1);
                                return before + writesAndReads(context, x.rows(1, 8), x.rows(0, 2), 1);
                            })
                            .join());
        }
    }
}
