package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task that gives up an access to data while it runs: what it has written counts, what others write then stays. */
@Timeout(180)
class DemotedDataTest {
    private final Session session =
            Session.builder().workers(3).devices("emulated0").open();
    private final TaskGraph graph = session.graph();
    private final CountDownLatch next = new CountDownLatch(1);

    @AfterEach
    void close() {
        next.countDown();
        session.close();
    }

    /** A kernel on the device for one data of numbers. */
    private static Kernel kernel(String name, Consumer<MemorySegment> body) {
        return Kernel.named(name)
                .parameters("x")
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody(name, launch -> body.accept(launch.memory(0))));
    }

    private static void add(MemorySegment x, int at, double amount) {
        x.setAtIndex(ValueLayout.JAVA_DOUBLE, at, x.getAtIndex(ValueLayout.JAVA_DOUBLE, at) + amount);
    }

    private void awaitNext() {
        Watchdog.await(next, "the next task has run beside this one");
    }

    @Test
    void aDeviceReadsWhatWasWrittenBeforeTheDemotion() {
        Data x = session.data().vector("x", new double[4]);
        AtomicLong seen = new AtomicLong();
        graph.task("first").updates(x).run(kernel("one", memory -> add(memory, 0, 1)));
        graph.task("writes and reads on").updates(x).run(ctx -> {
            ctx.memory(x).setDouble(0, 7);
            ctx.demote(x, Access.read());
            awaitNext();
            assertEquals(7, ctx.memory(x).getDouble(0));
        });
        graph.task("reader").reads(x).run(kernel("look", memory -> {
            seen.set((long) memory.getAtIndex(ValueLayout.JAVA_DOUBLE, 0));
            next.countDown();
        }));
        graph.await();
        assertEquals(7, seen.get());
    }

    @Test
    void aFirstWriteCountsAsWritten() {
        Data x = session.data().vector("x", DataType.FLOAT64, 4);
        AtomicLong seen = new AtomicLong();
        graph.task("writes").writes(x).run(ctx -> {
            for (int i = 0; i < 4; i++) {
                ctx.memory(x).setDouble(i, 7);
            }
            ctx.demote(x, Access.read(Area.of(0, 1)));
            awaitNext();
        });
        graph.task("reader").reads(x).run(kernel("look", memory -> {
            seen.set((long) memory.getAtIndex(ValueLayout.JAVA_DOUBLE, 3));
            next.countDown();
        }));
        graph.await();
        assertEquals(7, seen.get());
    }

    @Test
    void whatTheNextTaskWritesIsNotOverwrittenAtTheEnd() {
        double[] home = new double[4];
        Data x = session.data().vector("x", home);
        graph.task("gives up").updates(x).run(ctx -> {
            ctx.memory(x).setDouble(0, 7);
            ctx.demote(x, Access.none());
            assertThrows(IllegalArgumentException.class, () -> ctx.memory(x));
            awaitNext();
        });
        Task<?> ten = graph.task("times 10").updates(x).run(kernel("ten", memory -> add(memory, 0, 63)));
        ten.stage().thenRun(next::countDown); // this thread may be the one that runs what waits for it
        graph.await();
        session.data().fetch(x);
        assertEquals(70, home[0]);
    }

    @Test
    void onlyThePartThatIsLeftIsCommittedAtTheEnd() {
        double[] home = {1, 2, 3, 4};
        Data x = session.data().vector("x", home);
        graph.task("keeps two").updates(x).run(ctx -> {
            ctx.memory(x).setDouble(3, 5);
            ctx.demote(x, Access.update(Area.of(0, 1)));
            awaitNext();
            ctx.memory(x.rows(0, 2)).setDouble(0, 100);
            assertThrows(IllegalArgumentException.class, () -> ctx.memory(x));
        });
        graph.task("others").updates(x.rows(2, 4)).run(kernel("others", memory -> {
            add(memory, 0, 27);
            add(memory, 1, 40);
            next.countDown();
        }));
        graph.await();
        session.data().fetch(x);
        assertArrayEquals(new double[] {100, 2, 30, 45}, home);
    }

    @Test
    void whoIsToAddFromNowOnJoinsOthersWhoAdd() {
        double[] home = new double[1];
        Data x = session.data().vector("x", home);
        CountDownLatch both = new CountDownLatch(2);
        graph.task("first").updates(x).run(kernel("one", memory -> add(memory, 0, 1)));
        graph.task("sets and adds").updates(x).run(ctx -> {
            ctx.memory(x).setDouble(0, 7);
            ctx.demote(x, Access.add());
            both.countDown();
            Watchdog.await(both, "both add at once");
            ctx.memory(x).addDouble(0, 1);
            awaitNext();
            ctx.memory(x).addDouble(0, 1);
        });
        graph.task("host adds").adds(x).run(ctx -> {
            both.countDown();
            Watchdog.await(both, "both add at once");
            ctx.memory(x).addDouble(0, 10);
        });
        Task<?> device = graph.task("device adds").adds(x).run(kernel("add", memory -> add(memory, 0, 100)));
        next.countDown();
        device.join();
        graph.await();
        session.data().fetch(x);
        assertEquals(119, home[0]);
    }

    @Test
    void whatAnAdderHasAddedWhenItGivesUpStays() {
        double[] home = {1};
        Data x = session.data().vector("x", home);
        graph.task("adds").adds(x).run(ctx -> {
            ctx.memory(x).addDouble(0, 2);
            ctx.demote(x, Access.none());
            awaitNext();
        });
        graph.task("next").updates(x).run(kernel("next", memory -> {
            add(memory, 0, 10);
            next.countDown();
        }));
        graph.await();
        session.data().fetch(x);
        assertEquals(13, home[0]);
    }

    @Test
    void aFailureSpoilsOnlyWhatIsLeft() {
        double[] home = {1, 2, 3, 4};
        Data x = session.data().vector("x", home);
        Task<?> bad = graph.task("fails").updates(x).run(ctx -> {
            ctx.memory(x).setDouble(0, 10);
            ctx.memory(x).setDouble(3, 40);
            ctx.demote(x, Access.update(Area.of(2, 3)));
            awaitNext();
            throw new IllegalStateException("no");
        });
        AtomicLong seen = new AtomicLong();
        graph.task("reads the rest").reads(x.rows(0, 2)).run(kernel("look", memory -> {
            seen.set((long) memory.getAtIndex(ValueLayout.JAVA_DOUBLE, 0));
            next.countDown();
        }));
        assertThrows(TaskFailedException.class, bad::join);
        graph.await(); // the failure was told
        assertEquals(10, seen.get());
        session.data().fetch(x.rows(0, 2));
        assertThrows(TaskFailedException.class, () -> session.data().fetch(x.rows(2, 4)));
        graph.await();
    }

    @Test
    void thereIsNoOtherTryBehindADemotion() {
        double[] home = {1};
        Data x = session.data().vector("x", home);
        AtomicInteger tries = new AtomicInteger();
        Task<?> bad = graph.task("fails").updates(x).retries(3).run(ctx -> {
            tries.incrementAndGet();
            ctx.memory(x).setDouble(0, 7);
            ctx.demote(x, Access.read());
            throw new IllegalStateException("no");
        });
        assertThrows(TaskFailedException.class, bad::join);
        graph.await(); // the failure was told
        assertEquals(1, tries.get());
        session.data().fetch(x);
        assertEquals(7, home[0]);
    }

    /** The task before demotes to none, so that its memory can go: else the next would wait for room for ever. */
    @Test
    void memoryThatWasGivenUpMakesRoom() {
        try (Session small =
                Session.builder().workers(3).devices("emulated0").hostMemory(64).open()) {
            Data x = small.data().vector("x", DataType.FLOAT64, 8);
            Data y = small.data().vector("y", DataType.FLOAT64, 8);
            CountDownLatch begun = new CountDownLatch(1);
            small.graph().task("x").writes(x).run(ctx -> {
                for (int i = 0; i < 8; i++) {
                    ctx.memory(x).setDouble(i, i);
                }
                ctx.demote(x, Access.none());
                begun.countDown();
                awaitNext();
            });
            Watchdog.await(begun, "x is given up");
            small.graph().task("x to the device").reads(x).run(kernel("look", memory -> {}));
            small.graph().task("y").writes(y).run(ctx -> {
                for (int i = 0; i < 8; i++) {
                    ctx.memory(y).setDouble(i, 1);
                }
                next.countDown();
            });
            small.graph().await();
        }
    }

    // ---- checking mode

    private static Session checking() {
        return Session.builder().workers(3).devices("emulated0").checking().open();
    }

    @Test
    void checkingFindsWhoWritesOnBehindADemotionToRead() {
        try (Session checked = checking()) {
            Data x = checked.data().vector("x", new double[4]);
            Task<?> bad = checked.graph().task("careless").updates(x).run(ctx -> {
                Memory memory = ctx.memory(x);
                memory.setDouble(0, 7);
                ctx.demote(x, Access.read());
                memory.setDouble(0, 8);
            });
            assertMentions(
                    assertThrows(TaskFailedException.class, bad::join),
                    "task \"careless\" changed \"x\" after the task gave up writing it");
            checked.graph().await(); // the failure was told
        }
    }

    @Test
    void checkingLooksNoMoreAtWhatWasGivenUp() {
        double[] home = new double[4];
        try (Session checked = checking()) {
            Data x = checked.data().vector("x", home);
            checked.graph().task("reader").reads(x).run(ctx -> {
                ctx.demote(x, Access.none());
                awaitNext();
            });
            checked.graph().task("writer").updates(x).run(ctx -> {
                ctx.memory(x).setDouble(0, 7);
                next.countDown();
            });
            checked.graph().task("adder").updates(x).run(ctx -> {
                ctx.demote(x, Access.add());
                ctx.memory(x).addDouble(0, 1);
            });
            checked.data().fetch(x);
            checked.graph().await();
        }
        assertEquals(8, home[0]);
    }
}
