package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handles, data and locks that a task makes inside itself. */
@Timeout(180)
class MadeInsideTest {
    private final Session session =
            Session.builder().workers(3).devices("emulated0").checking().open();
    private final TaskGraph graph = session.graph();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicInteger seen = new AtomicInteger();

    @AfterEach
    void close() {
        gate.countDown();
        session.close();
    }

    @Test
    void subTasksAccessTheHandlesOfTheirParent() {
        graph.task("parent").run(ctx -> {
            Handle<int[]> x = session.wrap("x", new int[1]);
            ctx.refine(sub -> {
                for (int i = 0; i < 10; i++) {
                    sub.task("add").updates(x).run(c -> c.get(x)[0]++);
                }
            });
            ctx.afterwards(rest -> seen.set(x.value()[0]));
        });
        graph.await();
        assertEquals(10, seen.get());
    }

    @Test
    void andItsDataItsPartsAndItsLocks() {
        Kernel fill = Kernel.named("fill")
                .parameters("x")
                .onDevice(
                        ExecutionTarget.EMULATED,
                        new EmulatedBody(
                                "fill", launch -> launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, 0, 42)));
        graph.task("parent").run(ctx -> {
            Data x = session.data().vector("x", DataType.FLOAT64, 1);
            Resource lock = session.unordered("lock");
            Resource whole = session.resource("whole");
            Resource part = session.resource("part", whole);
            ctx.refine(sub -> {
                sub.task("fill").writes(x).run(fill);
                sub.task("look")
                        .reads(x)
                        .updates(lock)
                        .updates(part)
                        .run(c -> seen.set((int) c.memory(x).getDouble(0)));
                sub.task("lock").updates(lock).reads(whole).run(c -> {});
            });
        });
        graph.await();
        assertEquals(42, seen.get());
    }

    @Test
    void subTasksOfSubTasksDeclareItAndSiblingsUseIt() {
        AtomicReference<Handle<int[]>> made = new AtomicReference<>();
        graph.task("parent").run(ctx -> {
            Handle<int[]> x = session.wrap("x", new int[1]);
            ctx.refine(sub -> {
                Task<?> one = sub.task("one").run(c -> {
                    made.set(session.wrap("y", new int[1]));
                    assertMentions(
                            assertThrows(
                                    IllegalArgumentException.class,
                                    () -> c.refine(
                                            deep -> deep.task("deep").updates(x).run(d -> {}))),
                            "its parent declares no access to x");
                    Handle<int[]> y = Objects.requireNonNull(made.get());
                    c.refine(deep -> deep.task("y").updates(y).run(d -> d.get(y)[0] = 7));
                });
                sub.task("two").after(one).run(c -> {});
                sub.task("declares")
                        .updates(x)
                        .run(c -> c.refine(deep -> deep.task("deep").updates(x).run(d -> d.get(x)[0] = 5)));
                sub.task("look").reads(x).run(c -> seen.set(c.get(x)[0]));
            });
        });
        graph.await();
        assertEquals(5, seen.get());
    }

    @Test
    void subTasksThatAccessItDoNotKeepTheirParentFromDemotion() {
        Handle<int[]> declared = session.wrap("declared", new int[1]);
        graph.task("parent").updates(declared).run(ctx -> {
            Handle<int[]> x = session.wrap("x", new int[1]);
            ctx.refine(sub -> sub.task("part").updates(x).run(c -> {
                Watchdog.await(gate, "the gate opens");
                c.get(x)[0] = 7;
            }));
            ctx.demote(declared, Access.none());
            begun.countDown();
            ctx.afterwards(rest -> seen.set(x.value()[0]));
        });
        Task<?> later = graph.task("later").updates(declared).run(ctx -> ctx.get(declared)[0] = 5);
        Watchdog.await(begun, "the parent has given up what it declared");
        // without help by this thread, which might take the task that waits for it
        Watchdog.until(() -> later.state().isOver(), "the later task runs");
        assertEquals(0, seen.get());
        gate.countDown();
        graph.await();
        assertEquals(7, seen.get());
    }

    @Test
    void whoAccessesItOutsideComesBehindItsMaker() {
        AtomicReference<Handle<int[]>> made = new AtomicReference<>();
        graph.task("parent").run(ctx -> {
            Handle<int[]> x = session.wrap("x", new int[1]);
            ctx.refine(sub -> sub.task("part").updates(x).run(c -> {
                made.set(x);
                begun.countDown();
                Watchdog.await(gate, "the gate opens");
                c.get(x)[0] = 7;
            }));
        });
        Watchdog.await(begun, "the part runs");
        Handle<int[]> x = Objects.requireNonNull(made.get());
        Task<?> outside = graph.task("outside").reads(x).run(ctx -> seen.set(ctx.get(x)[0]));
        assertEquals(TaskState.PENDING, outside.state());
        gate.countDown();
        graph.await();
        assertEquals(7, seen.get());
        graph.task("later").updates(x).run(ctx -> seen.addAndGet(ctx.get(x)[0]));
        graph.await();
        assertEquals(14, seen.get());
    }

    @Test
    void whatIsAccessedOutsideFirstNeedsADeclaredAccess() {
        graph.task("parent").run(ctx -> {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Task<?> outside = graph.task("outside").updates(x).run(c -> begun.countDown());
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> ctx.refine(sub -> sub.task("part").updates(x).run(c -> {}))),
                    "its parent declares no access to x");
            Watchdog.await(begun, "the task outside does not wait for the one that made it: " + outside);
        });
        graph.await();
    }
}
