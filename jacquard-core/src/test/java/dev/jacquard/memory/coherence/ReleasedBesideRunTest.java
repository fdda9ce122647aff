package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.testkit.Watchdog;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Data that is released, and freed, while a run without a place among live tasks still has its memory. */
@Timeout(180)
class ReleasedBesideRunTest {
    private final CountDownLatch runs = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    private CompiledGraph addTo(Session session, Data x) {
        return session.record(
                "add",
                graph -> graph.task("add").updates(x).run(ctx -> {
                    runs.countDown();
                    mayEnd.await();
                    ctx.memory(x).addDouble(0, 1);
                }));
    }

    private static double read(Session session, Data x) {
        return session.graph()
                .task("read")
                .reads(x)
                .call(ctx -> ctx.memory(x).getDouble(0))
                .join();
    }

    @Test
    void aFreeBehindTheReleaseIsRefusedUntilTheRunIsOver() {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", DataType.FLOAT64, 1);
            session.graph().task("set").writes(x).run(ctx -> ctx.memory(x).setDouble(0, 1));
            session.graph().await();
            CompiledGraph add = addTo(session, x);
            add.startUnordered((worker, failure) -> {});
            try {
                Watchdog.await(runs, "the run's task runs on the other worker");
                session.graph().release(x).join();
                assertMentions(
                        assertThrows(
                                IllegalStateException.class,
                                () -> session.data().free(x)),
                        "cannot be freed while x[0 until 1] in host is in use");
                assertFalse(session.data().query(x).freed());
            } finally {
                mayEnd.countDown();
            }
            add.join();
            session.graph().task("anew").writes(x).run(ctx -> ctx.memory(x).setDouble(0, 3));
            assertEquals(3, read(session, x));
            session.data().free(x);
            assertTrue(session.data().query(x).freed());
        }
    }

    @Test
    void whatTheRunWritesIntoTheMemoryThatGoesIsNotTheData() {
        for (boolean fails : new boolean[] {false, true}) {
            for (boolean anew : new boolean[] {false, true}) {
                CountDownLatch begun = new CountDownLatch(1);
                CountDownLatch goOn = new CountDownLatch(1);
                try (Session session = Session.builder().workers(2).open()) {
                    Data x = session.data().vector("x", DataType.FLOAT64, 1);
                    session.graph()
                            .task("set")
                            .writes(x)
                            .run(ctx -> ctx.memory(x).setDouble(0, 1));
                    session.graph().await();
                    CompiledGraph late = session.record(
                            "late",
                            graph -> graph.task("late").updates(x).run(ctx -> {
                                begun.countDown();
                                goOn.await();
                                ctx.memory(x).setDouble(0, 9);
                                if (fails) {
                                    throw new IllegalStateException("as planned");
                                }
                            }));
                    CountDownLatch over = new CountDownLatch(1);
                    late.startUnordered((worker, failure) -> over.countDown());
                    try {
                        Watchdog.await(begun, "the run's task runs on the other worker");
                        session.graph().release(x).join();
                        if (anew) {
                            session.graph()
                                    .task("anew")
                                    .writes(x)
                                    .run(ctx -> ctx.memory(x).setDouble(0, 3))
                                    .join();
                        }
                    } finally {
                        goOn.countDown();
                    }
                    Watchdog.await(over, "the run is over");
                    if (anew) {
                        assertEquals(3, read(session, x));
                    } else {
                        assertMentions(
                                assertThrows(TaskFailedException.class, () -> read(session, x)),
                                "which no task has written since it was released");
                    }
                }
            }
        }
    }
}
