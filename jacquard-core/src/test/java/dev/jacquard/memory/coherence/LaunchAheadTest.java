package dev.jacquard.memory.coherence;

import static dev.jacquard.core.testing.EmulatedKernels.await;
import static dev.jacquard.core.testing.EmulatedKernels.kernel;
import static dev.jacquard.core.testing.EmulatedKernels.session;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A kernel behind kernels on the same device is told to that before these are over, and nothing else changes by it. */
@Timeout(180)
class LaunchAheadTest {
    private static Kernel plus(double amount) {
        return kernel("plus " + amount, () -> {}, launch -> add(launch, amount));
    }

    private static void add(EmulatedBody.Launch launch, double amount) {
        double now = launch.memory(0).getAtIndex(ValueLayout.JAVA_DOUBLE, 0);
        launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, 0, now * 2 + amount);
    }

    @Test
    void theDeviceKnowsTheNextKernelBeforeTheFirstIsOver() {
        CountDownLatch known = new CountDownLatch(2);
        double[] array = {1};
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", array);
            TaskGraph graph = session.graph();
            CountDownLatch submitted = new CountDownLatch(1);
            graph.task("hold").updates(x).run(kernel("hold", () -> await(submitted), launch -> {
                await(known); // which the two behind it open when the device is told of them
                add(launch, 1);
            }));
            for (int i = 2; i <= 3; i++) {
                double amount = i;
                graph.task("next").updates(x).run(kernel("next", known::countDown, launch -> add(launch, amount)));
            }
            submitted.countDown();
            session.data().fetch(x);
        }
        assertArrayEquals(new double[] {((1 * 2 + 1) * 2 + 2) * 2 + 3}, array);
    }

    @Test
    void aKernelBehindAHostTaskWaitsForIt() {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger told = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        double[] array = {1};
        try (Session session = session(3, 1)) {
            Data x = session.data().vector("x", array);
            Handle<AtomicInteger> h = session.wrap("h", new AtomicInteger());
            TaskGraph graph = session.graph();
            CountDownLatch submitted = new CountDownLatch(1);
            graph.task("on the host").updates(h).run(context -> await(go));
            Task<@Nullable Void> before = graph.task("first")
                    .updates(x)
                    .run(kernel("first", () -> await(submitted), launch -> {
                        add(launch, 1);
                        first.countDown();
                    }));
            graph.task("both").reads(h).updates(x).run(kernel("both", told::incrementAndGet, launch -> add(launch, 2)));
            submitted.countDown();
            before.join();
            assertEquals(0, told.get(), "the host task before it is not over");
            go.countDown();
            session.data().fetch(x);
        }
        assertArrayEquals(new double[] {(1 * 2 + 1) * 2 + 2}, array);
    }

    @Test
    void whatIsToldAheadIsNotDoneWhereAKernelBeforeItFails() {
        double[] array = {1};
        double[] spare = {5};
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch known = new CountDownLatch(1);
        Session session = session(2, 1);
        Data x = session.data().vector("x", array);
        Data y = session.data().vector("y", spare);
        TaskGraph graph = session.graph("graph", FailurePolicy.CONTINUE);
        CountDownLatch submitted = new CountDownLatch(1);
        Task<@Nullable Void> fails = graph.task("fails")
                .updates(x)
                .updates(y)
                .run(kernel("fails", () -> await(submitted), launch -> {
                    await(known);
                    throw new DeviceException("by test");
                }));
        Task<@Nullable Void> behind = graph.task("behind").updates(x).run(kernel("behind", known::countDown, launch -> {
            ran.incrementAndGet();
            add(launch, 2);
        }));
        Task<@Nullable Void> fresh = graph.task("fresh").writes(y).run(kernel("fresh", () -> {}, launch -> {
            launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, 0, 9);
        }));
        submitted.countDown();
        assertThrows(TaskFailedException.class, fails::join);
        assertThrows(RuntimeException.class, behind::join);
        fresh.join();
        session.data().fetch(y);
        assertEquals(0, ran.get());
        assertArrayEquals(new double[] {9}, spare);
        session.close();
    }

    @Test
    void nothingIsToldBehindAKernelThatTheDeviceRefused() {
        double[] array = {1};
        CountDownLatch refused = new CountDownLatch(1);
        try (Session session = session(2, 2)) {
            Data x = session.data().vector("x", array);
            TaskGraph graph = session.graph();
            CountDownLatch submitted = new CountDownLatch(1);
            Kernel elsewhere = kernel(
                    "elsewhere",
                    () -> {
                        await(submitted);
                        if (refused.getCount() > 0) {
                            refused.countDown();
                            throw new DeviceException("by test");
                        }
                    },
                    launch -> add(launch, 1));
            graph.task("goes elsewhere").updates(x).run(elsewhere);
            for (int i = 2; i <= 4; i++) {
                graph.task("behind").updates(x).run(plus(i));
            }
            submitted.countDown();
            session.data().fetch(x);
        }
        assertArrayEquals(new double[] {(((1 * 2 + 1) * 2 + 2) * 2 + 3) * 2 + 4}, array);
    }

    /** What is not told yet is cancelled. */
    @Test
    void aCancelComesTooLateForAKernelThatTheDeviceWasTold() {
        double[] array = {1};
        CountDownLatch known = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", array);
            TaskGraph graph = session.graph("cancelled", FailurePolicy.CONTINUE);
            CountDownLatch submitted = new CountDownLatch(1);
            Task<@Nullable Void> first = graph.task("first")
                    .updates(x)
                    .run(kernel("first", () -> await(submitted), launch -> {
                        await(cancelled);
                        add(launch, 1);
                    }));
            Task<@Nullable Void> told =
                    graph.task("told").updates(x).run(kernel("told", known::countDown, launch -> add(launch, 5)));
            Task<@Nullable Void> host = graph.task("on the host")
                    .updates(x)
                    .run(context -> context.memory(x).setDouble(0, 0));
            submitted.countDown();
            await(known);
            graph.cancel();
            cancelled.countDown();
            assertThrows(CancellationException.class, graph::await);
            assertEquals(TaskState.DONE, first.state());
            assertEquals(TaskState.DONE, told.state());
            assertEquals(TaskState.CANCELLED, host.state());
        }
        assertArrayEquals(new double[] {(1 * 2 + 1) * 2 + 5}, array);
    }

    /**
     * Submits a task that writes {@code all} on the device and fails by its time limit, though the device goes on: what
     * reads some of that behind it is cancelled, when the device has been told of it. The task reads {@code x}, so that
     * this is there for those behind.
     */
    private static Task<@Nullable Void> late(
            TaskGraph graph, Data x, List<Data> all, CountDownLatch submitted, CountDownLatch passed) {
        Task<?> gate = graph.task("gate").run(context -> await(submitted)); // the limit counts from behind it
        TaskBuilder builder =
                graph.task("late").after(gate).timeLimit(Duration.ofMillis(100)).reads(x);
        all.forEach(builder::writes);
        return builder.run(kernel("late", () -> {}, launch -> await(passed)));
    }

    @Test
    void aTaskThatDoesNotRunEndsWhenTheDeviceHasDoneWhatItWasTold() {
        double[] array = {1};
        AtomicInteger done = new AtomicInteger();
        CountDownLatch submitted = new CountDownLatch(1);
        CountDownLatch known = new CountDownLatch(1);
        CountDownLatch passed = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Session session = session(2, 1);
        Data x = session.data().vector("x", array);
        Data y = session.data().vector("y", new double[1]);
        TaskGraph graph = session.graph("graph", FailurePolicy.CONTINUE);
        Task<@Nullable Void> late = late(graph, x, List.of(y), submitted, passed);
        Task<@Nullable Void> told = graph.task("told")
                .updates(x)
                .reads(y)
                .run(kernel("told", known::countDown, launch -> {
                    await(go);
                    add(launch, 2);
                    done.incrementAndGet();
                }));
        submitted.countDown();
        await(known);
        assertThrows(TaskFailedException.class, late::join);
        passed.countDown();
        Watchdog.until(() -> late.state().isOver(), "it is over");
        go.countDown();
        assertThrows(RuntimeException.class, told::join);
        assertEquals(1, done.get(), "it is over when the device has done it");
        session.graph().task("anew").writes(x).run(kernel("anew", () -> {}, launch -> {
            launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, 0, 7);
        }));
        session.data().fetch(x);
        session.close();
        assertArrayEquals(new double[] {7}, array);
    }

    /** The device does what it was told behind, in the same memory, and the task before has ended well. */
    @Test
    void whatTheTaskBeforeACancelledOneWroteComesHome() {
        double[] array = {1};
        CountDownLatch submitted = new CountDownLatch(1);
        CountDownLatch known = new CountDownLatch(1);
        CountDownLatch passed = new CountDownLatch(1);
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", array);
            Data y = session.data().vector("y", new double[1]);
            TaskGraph graph = session.graph("graph", FailurePolicy.CONTINUE);
            Data z = session.data().vector("z", new double[1]);
            Task<@Nullable Void> late = late(graph, x, List.of(y, z), submitted, passed);
            Task<@Nullable Void> first =
                    graph.task("first").updates(x).writes(z).run(plus(1));
            Task<@Nullable Void> told = graph.task("told")
                    .updates(x)
                    .reads(y)
                    .run(kernel("told", known::countDown, launch -> add(launch, 5)));
            submitted.countDown();
            await(known);
            assertThrows(TaskFailedException.class, late::join);
            passed.countDown();
            assertThrows(RuntimeException.class, told::join);
            assertEquals(TaskState.DONE, first.state());
            assertEquals(TaskState.CANCELLED, told.state());
        }
        assertArrayEquals(new double[] {1 * 2 + 1}, array);
    }

    /**
     * Of what the cancelled task was to write the host still has the version before, which its reader could be brought.
     */
    @Test
    void nothingIsBroughtForTheReaderOfACancelledTaskWhereAKernelBehindBothWrites() {
        double[] array = {1};
        CountDownLatch submitted = new CountDownLatch(1);
        CountDownLatch known = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch passed = new CountDownLatch(1);
        CountDownLatch written = new CountDownLatch(1);
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", array);
            Data y = session.data().vector("y", new double[] {0});
            Data z = session.data().vector("z", new double[] {0});
            TaskGraph graph = session.graph("graph", FailurePolicy.CONTINUE);
            Task<@Nullable Void> late = late(graph, x, List.of(z), submitted, passed);
            Task<@Nullable Void> changes =
                    graph.task("changes").updates(x).reads(z).run(plus(3));
            Task<@Nullable Void> reads = graph.task("reads").reads(x).run(kernel("reads", () -> {}, launch -> {}));
            graph.task("anew").writes(x).run(kernel("anew", known::countDown, launch -> {
                launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, 0, 7);
                written.countDown();
            }));
            submitted.countDown();
            await(known);
            assertThrows(TaskFailedException.class, late::join);
            graph.task("busy")
                    .writes(y)
                    .run(kernel(
                            "busy",
                            () -> {
                                busy.countDown(); // the device's worker, which ends the tasks before, waits here
                                await(written);
                            },
                            launch -> {}));
            await(busy);
            passed.countDown();
            assertThrows(RuntimeException.class, changes::join);
            assertThrows(RuntimeException.class, reads::join);
            session.data().fetch(x);
        }
        assertArrayEquals(new double[] {7}, array);
    }

    /** Parts and the whole have memory of their own on a device. */
    @Test
    void whatIsWrittenInOtherMemoryBehindAKernelBeforeItIsRead() {
        double[] array = {1, 2};
        double[] seen = {0};
        CountDownLatch submitted = new CountDownLatch(1);
        CountDownLatch known = new CountDownLatch(1);
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", array);
            Data y = session.data().vector("y", seen);
            TaskGraph graph = session.graph();
            View second = x.part(Box.of(new long[] {1}, new long[] {2}));
            graph.task("whole").reads(x).run(kernel("whole", () -> {}, launch -> {}));
            graph.task("there").writes(y).run(kernel("there", () -> {}, launch -> {}));
            graph.task("part").updates(second).run(kernel("part", () -> await(submitted), launch -> {
                await(known);
                add(launch, 1);
            }));
            graph.task("anew").writes(x).run(kernel("anew", known::countDown, launch -> {
                launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, 0, 7);
                launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, 1, 9);
            }));
            graph.task("looks").reads(second).writes(y).run(kernel("looks", () -> {}, launch -> {
                double found = launch.memory(0).getAtIndex(ValueLayout.JAVA_DOUBLE, 0);
                launch.memory(1).setAtIndex(ValueLayout.JAVA_DOUBLE, 0, found);
            }));
            submitted.countDown();
            session.data().fetch(y);
        }
        assertArrayEquals(new double[] {9}, seen);
        assertArrayEquals(new double[] {7, 9}, array);
    }

    @Test
    void longChainsOnSeveralDevicesAndTheHostGiveWhatALoopGives() {
        for (int workers = 1; workers <= 4; workers++) {
            double[] array = {1};
            double expected = 1;
            try (Session session = session(workers, 2)) {
                Data x = session.data().vector("x", array);
                TaskGraph graph = session.graph();
                List<Kernel> kernels = new ArrayList<>();
                for (int i = 0; i < 7; i++) {
                    kernels.add(plus(i));
                }
                for (int i = 0; i < 700; i++) {
                    if (i % 97 == 96) {
                        graph.task("host")
                                .updates(x)
                                .run(context -> context.memory(x)
                                        .setDouble(0, context.memory(x).getDouble(0) - 3));
                        expected -= 3;
                    } else {
                        ExecutionTarget on = ExecutionTarget.named("emulated" + (i / 50 % 2));
                        graph.task("kernel").updates(x).on(on).run(kernels.get(i % 7));
                        expected = expected * 2 + i % 7;
                        if (expected > 1e300) {
                            graph.task("small").updates(x).on(on).run(kernel("small", () -> {}, launch -> {
                                double now = launch.memory(0).getAtIndex(ValueLayout.JAVA_DOUBLE, 0);
                                launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, 0, now / 1e300);
                            }));
                            expected /= 1e300;
                        }
                    }
                }
                session.data().fetch(x);
            }
            assertEquals(expected, array[0], "with " + workers + " workers");
            assertTrue(expected > 1);
        }
    }
}
