package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that others refine and demote, whatever they are at. */
@Timeout(180)
class AdjustedTaskTest {
    /** Writes 42 everywhere, and knows nothing of what was there. */
    private static final Kernel FILL = Kernel.named("fill")
            .parameters("x")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("fill", launch -> {
                MemorySegment x = launch.memory(0);
                for (long i = 0; i < x.byteSize() / Double.BYTES; i++) {
                    x.setAtIndex(ValueLayout.JAVA_DOUBLE, i, 42);
                }
            }));

    private final Session session =
            Session.builder().workers(3).devices("emulated0").open();
    private final TaskGraph graph = session.graph();
    private final Handle<int[]> h = session.wrap("h", new int[1]);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        session.close();
    }

    // ---- data of a refined task

    @Test
    void aSubTaskOfAPendingTaskWritesOnADevice() {
        double[] home = {1, 2};
        Data x = session.data().vector("x", home);
        graph.task("holder").updates(x).run(ctx -> Watchdog.await(gate, "the gate opens"));
        Task<?> parent = graph.task("parent").updates(x).adjustable().run(ctx -> {});
        assertTrue(parent.tryRefine(sub -> sub.task("part").updates(x).run(FILL)));
        gate.countDown();
        graph.await();
        session.data().fetch(x);
        assertEquals(42, home[0]);
    }

    @Test
    void aSubTaskOfAPendingTaskWritesWhatHasNoHome() {
        Data x = session.data().vector("x", DataType.FLOAT64, 4);
        graph.task("holder").writes(x).run(ctx -> {
            Watchdog.await(gate, "the gate opens");
            for (int i = 0; i < 4; i++) {
                ctx.memory(x).setDouble(i, 1);
            }
        });
        Task<?> parent = graph.task("parent").writes(x).adjustable().run(ctx -> {});
        assertTrue(parent.tryRefine(sub -> sub.task("part").writes(x).run(FILL)));
        Task<Double> seen =
                graph.task("look").reads(x).call(ctx -> ctx.memory(x).getDouble(3));
        gate.countDown();
        assertEquals(42, seen.join());
    }

    @Test
    void theBodyOfARefinedTaskHasItsDataAfterwards() {
        Data x = session.data().vector("x", new double[2]);
        graph.task("holder").updates(x).run(ctx -> Watchdog.await(gate, "the gate opens"));
        AtomicInteger seen = new AtomicInteger();
        Task<?> parent = graph.task("parent").updates(x).adjustable().run(ctx -> {
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> ctx.memory(x)),
                    "task \"parent\" touches \"x\" after it was refined",
                    "ctx.afterwards");
            ctx.afterwards(rest -> seen.set((int) rest.memory(x).getDouble(1)));
        });
        assertTrue(parent.tryRefine(sub -> sub.task("part").updates(x).run(FILL)));
        gate.countDown();
        parent.join();
        assertEquals(42, seen.get());
    }

    @Test
    void aRunningTaskThatHasItsDataIsNotRefined() {
        Data x = session.data().vector("x", new double[2]);
        Task<?> task = graph.task("task").updates(x).adjustable().run(ctx -> {
            begun.countDown();
            Watchdog.await(gate, "the gate opens");
            ctx.memory(x).setDouble(0, 1);
        });
        Watchdog.await(begun, "the task runs");
        assertFalse(task.tryRefine(sub -> sub.task("part").updates(x).run(FILL)));
        gate.countDown();
        task.join();
    }

    @Test
    void aKernelOnADeviceIsNotAdjusted() {
        Data x = session.data().vector("x", new double[2]);
        graph.task("holder").updates(x).run(ctx -> Watchdog.await(gate, "the gate opens"));
        Task<?> task = graph.task("task").updates(x).adjustable().run(FILL);
        assertMentions(
                assertThrows(IllegalStateException.class, () -> task.tryDemote(x, Access.none())),
                "its kernel runs on a device");
        assertThrows(IllegalStateException.class, () -> task.tryRefine(sub -> {}));
        gate.countDown();
        task.join();
        assertFalse(task.tryDemote(x, Access.none()), "the task is over");
    }

    // ---- tasks that are ready, run, or are over

    /** Keeps every worker busy, so that what is ready stays so. */
    private void keepWorkersBusy() {
        CountDownLatch busy = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            graph.task("busy").run(ctx -> {
                busy.countDown();
                Watchdog.await(gate, "the gate opens");
            });
        }
        Watchdog.await(busy, "the other workers are busy");
    }

    @Test
    void aReadyTaskIsRefinedAndDemoted() {
        keepWorkersBusy();
        AtomicInteger parts = new AtomicInteger();
        Task<?> task = graph.task("task").updates(h).adjustable().run(ctx -> {});
        assertEquals(TaskState.READY, task.state());
        assertTrue(task.tryRefine(sub -> sub.task("part").reads(h).run(c -> parts.incrementAndGet())));
        Task<?> reader = graph.task("reader").reads(h).run(ctx -> {});
        assertEquals(TaskState.PENDING, reader.state());
        assertTrue(task.tryDemote(h, Access.read()));
        assertEquals(TaskState.READY, reader.state());
        assertThrows(IllegalArgumentException.class, () -> task.tryDemote(h, Access.update()));
        gate.countDown();
        graph.await();
        assertEquals(1, parts.get());
    }

    @Test
    void aDataThatAReadyTaskGivesUpIsNotBroughtForIt() {
        keepWorkersBusy();
        double[] home = {1, 2};
        Data x = session.data().vector("x", home);
        Task<?> task = graph.task("task").updates(x).adjustable().run(ctx -> {});
        assertTrue(task.tryDemote(x, Access.none()));
        Task<?> fill = graph.task("fill").updates(x).run(FILL);
        fill.join();
        gate.countDown();
        graph.await();
        session.data().fetch(x);
        assertEquals(42, home[1]);
    }

    @Test
    void aRunningTaskIsDemotedAtOnce() {
        Task<?> task = graph.task("task").updates(h).adjustable().run(ctx -> {
            ctx.get(h)[0] = 7;
            begun.countDown();
            Watchdog.await(gate, "the gate opens");
        });
        Task<Integer> reader = graph.task("reader").reads(h).call(ctx -> ctx.get(h)[0]);
        Watchdog.await(begun, "the task runs");
        assertTrue(task.tryDemote(h, Access.none()));
        assertEquals(7, reader.join());
        gate.countDown();
        task.join();
    }

    @Test
    void aRunningTaskIsRefinedAndWaitsForItsParts() {
        Task<?> task = graph.task("task").updates(h).adjustable().run(ctx -> {
            begun.countDown();
            Watchdog.await(gate, "the gate opens");
        });
        Watchdog.await(begun, "the task runs");
        CountDownLatch part = new CountDownLatch(1);
        Task<?> next = graph.task("next").updates(h).run(ctx -> assertEquals(0, part.getCount()));
        assertTrue(task.tryRefine(sub -> {
            gate.countDown(); // the body may end before the block does, which then ends the task
            sub.task("part").updates(h).run(ctx -> part.countDown());
        }));
        next.join();
        assertEquals(TaskState.DONE, task.state());
    }

    @Test
    void aBlockFromOutsideMayBeTheLastPart() {
        Task<?> task = graph.task("task").updates(h).adjustable().run(ctx -> {
            begun.countDown();
            Watchdog.await(gate, "the gate opens");
        });
        Watchdog.await(begun, "the task runs");
        assertTrue(task.tryRefine(sub -> {
            gate.countDown();
            Watchdog.until(() -> !task.tryRefine(more -> {}), "the body is over");
            assertEquals(TaskState.RUNNING, task.state());
        }));
        task.join();
        graph.await();
    }

    @Test
    void whatIsOverIsNeitherRefinedNorDemoted() {
        Task<?> task = graph.task("task").updates(h).adjustable().run(ctx -> {});
        task.join();
        assertFalse(task.tryRefine(sub -> {}));
        assertFalse(task.tryDemote(h, Access.none()));
        Task<?> bad = graph.task("bad").updates(h).adjustable().run(ctx -> {
            throw new IllegalStateException("no");
        });
        assertThrows(TaskFailedException.class, bad::join);
        assertFalse(bad.tryDemote(h, Access.none()));
        graph.await();
    }

    @Test
    void whatWasNotBuiltForItSaysHow() {
        Task<?> task = graph.task("task").updates(h).run(ctx -> {});
        assertMentions(
                assertThrows(IllegalStateException.class, () -> task.tryDemote(h, Access.none())),
                "build it with adjustable()");
        task.join();
    }
}
