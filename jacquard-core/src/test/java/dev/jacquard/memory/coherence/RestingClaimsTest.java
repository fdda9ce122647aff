package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Claims that runs of a graph keep from one to the next, and bodies that are bound to their memory. */
@Timeout(180)
class RestingClaimsTest {
    private static final int LENGTH = 240;
    private static final long BYTES = LENGTH * 8L;

    private final List<MemorySegment> bound = new ArrayList<>();

    /** Adds 1 to the first element, and remembers what it was bound to. */
    private CompiledGraph counts(Session session, Data x) {
        BindingBody count = context -> {
            MemorySegment memory = context.memory(x).segment();
            bound.add(memory);
            return run -> memory.setAtIndex(
                    ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, memory.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0) + 1);
        };
        return session.record("count", graph -> graph.task("count").updates(x).run(count));
    }

    private static double first(Session session, Data x) {
        return session.graph()
                .task("look")
                .reads(x)
                .call(context -> context.memory(x).getDouble(0))
                .join();
    }

    private static void clear(Session session, Data x) {
        session.graph()
                .task("clear")
                .writes(x)
                .run(context -> context.memory(x).segment().fill((byte) 0))
                .join();
    }

    @Test
    void aBodyIsBoundOnceWhileNothingMoves() {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", new double[LENGTH]);
            CompiledGraph count = counts(session, x);
            for (int run = 0; run < 10; run++) {
                count.run();
            }
            assertEquals(1, bound.size());
            assertEquals(10, first(session, x));
            count.run();
            assertEquals(1, bound.size(), "another claim in the same memory");
            assertEquals(11, first(session, x));
        }
    }

    @Test
    void aLiveTaskBindsEachTime() {
        try (Session session = Session.builder().workers(1).open()) {
            double[] home = new double[LENGTH];
            Data x = session.data().vector("x", home);
            BindingBody count = context -> {
                bound.add(context.memory(x).segment());
                return run -> run.memory(x).setDouble(0, bound.size());
            };
            session.graph().task("count").updates(x).run(count);
            session.graph().task("count").updates(x).run(count);
            session.graph().await();
            assertEquals(2, home[0]);
        }
    }

    @Test
    void whatADeviceWroteBetweenRunsIsThere() {
        double[] home = new double[LENGTH];
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0"), 1L << 20)
                .open()) {
            Data x = session.data().vector("x", home);
            double[] ones = new double[LENGTH];
            Arrays.fill(ones, 1);
            Data y = session.data().vector("y", ones);
            CompiledGraph count = counts(session, x);
            for (int run = 0; run < 5; run++) {
                count.run();
                count.run();
                session.graph()
                        .task("on the device")
                        .reads(y)
                        .updates(x)
                        .on(ExecutionTarget.EMULATED)
                        .run(CoherenceTest.AXPY, 10.0);
            }
            count.run();
            assertEquals(61, home[0]);
        }
        assertEquals(61, home[0]);
    }

    @Test
    void aBodyIsBoundAnewWhenItsDataWasEvicted(@TempDir Path folder) {
        try (Session session = Session.builder()
                .workers(1)
                .hostMemory(2 * BYTES)
                .disk(folder, 1 << 20, false)
                .open()) {
            Data x = session.data().vector("x", DataType.FLOAT64, LENGTH);
            Data y = session.data().vector("y", DataType.FLOAT64, LENGTH);
            Data z = session.data().vector("z", DataType.FLOAT64, LENGTH);
            clear(session, x);
            CompiledGraph count = counts(session, x);
            count.run();
            count.run();
            assertEquals(1, bound.size());
            clear(session, y); // in what room there is
            count.run();
            assertEquals(1, bound.size());
            session.graph()
                    .task("both")
                    .writes(y)
                    .writes(z)
                    .run(context -> context.memory(z).segment().fill((byte) -1))
                    .join(); // needs the room of x, which no run uses
            count.run();
            count.run();
            assertEquals(2, bound.size());
            assertEquals(5, first(session, x));
        }
    }

    @Test
    void dataOfAGraphThatDoesNotRunIsNotInUse() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().vector("x", DataType.FLOAT64, LENGTH);
            clear(session, x);
            CompiledGraph count = counts(session, x);
            count.run();
            count.run();
            assertTrue(session.data().query(x).toString().contains("x"), "the look recalls the claim");
            count.run();
            session.data().free(x);
            TaskFailedException freed = assertThrows(TaskFailedException.class, count::run);
            assertTrue(freed.toString().contains("was freed"), freed.toString());
        }
    }

    @Test
    void usersSeeInAViewWhatRunsWrote() {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", DataType.FLOAT64, LENGTH);
            clear(session, x);
            CompiledGraph count = counts(session, x);
            for (int run = 1; run < 20; run++) {
                count.run();
                try (var view = session.data().open(x, Mode.UPDATE)) {
                    assertEquals(2 * run - 1, view.memory().getDouble(0));
                    view.memory().setDouble(0, 2 * run);
                }
            }
            assertEquals(1, bound.size());
        }
    }

    @Test
    void aRunThatFailsBehindOthersLosesWhatItLeftHalfDone() {
        double[] home = new double[LENGTH];
        boolean[] fails = new boolean[1];
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().vector("x", home);
            Data y = session.data().vector("y", new double[LENGTH]);
            CompiledGraph step = session.record("step", graph -> {
                graph.task("well")
                        .updates(y)
                        .run(context ->
                                context.memory(y).setDouble(0, context.memory(y).getDouble(0) + 1));
                graph.task("fails").updates(x).run(context -> {
                    if (fails[0]) {
                        throw new IllegalStateException("on purpose");
                    }
                });
            });
            step.run();
            step.run();
            fails[0] = true;
            assertThrows(TaskFailedException.class, step::run);
            assertEquals(3, first(session, y));
            assertThrows(TaskFailedException.class, () -> session.data().fetch(x));
        }
    }

    @Test
    void aBodyThatCannotBindFailsItsTaskAndBindsInTheNextRun() {
        try (Session session = Session.builder().workers(1).open()) {
            double[] home = new double[LENGTH];
            Data x = session.data().vector("x", home);
            int[] tries = {0};
            BindingBody body = context -> {
                if (tries[0]++ == 0) {
                    throw new IllegalStateException("not yet");
                }
                return run -> run.memory(x).setDouble(0, 7);
            };
            CompiledGraph step = session.record(
                    "step", graph -> graph.task("binds").writes(x).run(body));
            assertThrows(TaskFailedException.class, step::run);
            step.run();
            step.run();
            assertEquals(2, tries[0]);
            assertEquals(7, home[0]);
        }
    }

    /** Graphs that take turns on the same data each find what the others wrote. */
    @Test
    void graphsThatTakeTurnsSeeEachOther() {
        double[] home = new double[2];
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", home);
            List<CompiledGraph> graphs = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                graphs.add(counts(session, x));
            }
            for (int run = 0; run < 10; run++) {
                graphs.forEach(CompiledGraph::run);
            }
            assertEquals(12, bound.size());
        }
        assertArrayEquals(new double[] {120, 0}, home);
    }
}
