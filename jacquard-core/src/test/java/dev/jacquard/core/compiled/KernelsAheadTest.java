package dev.jacquard.core.compiled;

import static dev.jacquard.core.testing.EmulatedKernels.await;
import static dev.jacquard.core.testing.EmulatedKernels.kernel;
import static dev.jacquard.core.testing.EmulatedKernels.session;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.device.DeviceException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A device knows the kernels of a compiled graph before those ahead of them are over, and nothing else changes by it.
 */
@Timeout(180)
class KernelsAheadTest {
    private final double[] array = {1};

    /** Returns the number that a kernel leaves in place of {@code value}; it depends on the order of kernels. */
    private static double next(double value, double amount) {
        return (value * 2 + amount) % 10_007;
    }

    /** A kernel that runs {@code told} when the device is told, and {@code before} when it begins. */
    private static Kernel plus(double amount, Runnable told, Runnable before) {
        return kernel("plus " + amount, told, launch -> {
            before.run();
            double now = launch.memory(0).getAtIndex(ValueLayout.JAVA_DOUBLE, 0);
            launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, 0, next(now, amount));
        });
    }

    private static Kernel plus(double amount) {
        return plus(amount, () -> {}, () -> {});
    }

    private static void nothing() {}

    private static void host(Tasks rec, Data x, double amount) {
        rec.task("host")
                .updates(x)
                .run(context ->
                        context.memory(x).setDouble(0, next(context.memory(x).getDouble(0), amount)));
    }

    @Test
    void theDeviceKnowsWhatComesBehindTheFirstKernelInEachRun() {
        Phaser known = new Phaser(1);
        AtomicInteger phase = new AtomicInteger();
        // Of kernels that take long fewer are told ahead: here they take no time.
        try (Session session =
                Session.builder().workers(1).devices("emulated0").clock(() -> 1).open()) {
            Data x = session.data().vector("x", array);
            CompiledGraph graph = session.record("graph", rec -> {
                rec.task("holds").updates(x).run(plus(1, () -> {}, () -> known.awaitAdvance(phase.get())));
                rec.task("second").updates(x).run(plus(2));
                // That the device is told of the third lets it go on with the first.
                rec.task("third").updates(x).run(plus(3, known::arrive, () -> {}));
                rec.task("behind").updates(x).run(plus(4));
            });
            double expected = 1;
            for (int run = 0; run < 3; run++) {
                phase.set(known.getPhase());
                graph.run();
                for (int amount = 1; amount <= 4; amount++) {
                    expected = next(expected, amount);
                }
            }
            session.data().fetch(x);
            assertEquals(expected, array[0]);
        }
    }

    @Test
    void aKernelBehindAHostTaskOrInABranchWaits() {
        AtomicInteger told = new AtomicInteger();
        AtomicInteger toldInTime = new AtomicInteger();
        AtomicBoolean first = new AtomicBoolean();
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", array);
            Handle<int[]> run = session.wrap("run", new int[1]);
            CompiledGraph graph = session.record("graph", rec -> {
                rec.task("count").updates(run).run(context -> context.get(run)[0]++);
                rec.task("first").updates(x).run(plus(1, () -> first.set(true), KernelsAheadTest::nothing));
                rec.choose("odd?", t -> t.reads(run).reads(x), 2, context -> context.get(run)[0] % 2)
                        .in(1, odd -> odd.task("odd").updates(x).run(plus(2, told::incrementAndGet, () -> {})));
                host(rec, x, 3);
                rec.task("last").updates(x).run(plus(4, toldInTime::incrementAndGet, () -> {}));
            });
            double expected = 1;
            for (int i = 1; i <= 6; i++) {
                graph.run();
                expected = next(expected, 1);
                expected = i % 2 == 1 ? next(expected, 2) : expected;
                expected = next(next(expected, 3), 4);
                assertEquals((i + 1) / 2, told.get());
                assertEquals(i, toldInTime.get());
            }
            session.data().fetch(x);
            assertEquals(expected, array[0]);
            assertTrue(first.get());
        }
    }

    @Test
    void whatWasToldAheadIsNotDoneWhereAKernelBeforeItFails() {
        AtomicBoolean fails = new AtomicBoolean(true);
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch known = new CountDownLatch(1);
        double[] spare = {5};
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", array);
            Data y = session.data().vector("y", spare);
            CompiledGraph graph = session.record("graph", rec -> {
                rec.task("fails").updates(x).updates(y).run(plus(1, () -> {}, () -> {
                    if (fails.get()) {
                        await(known);
                        throw new DeviceException("by test");
                    }
                }));
                rec.task("behind").updates(x).run(plus(2, known::countDown, ran::incrementAndGet));
                rec.task("fresh").writes(y).run(plus(9, () -> {}, () -> {}));
            });
            assertThrows(TaskFailedException.class, graph::run);
            assertEquals(0, ran.get());
            assertEquals(1, graph.report().failed());
            assertEquals(1, graph.report().cancelled());
            fails.set(false);
            session.graph()
                    .task("anew")
                    .writes(x)
                    .run(context -> context.memory(x).setDouble(0, 1));
            graph.run();
            session.data().fetch(x);
            assertEquals(next(next(1, 1), 2), array[0]);
            assertEquals(1, ran.get());
        }
    }

    /** A worker of the host ends the last kernel of a chain; the device's has run it. */
    @Test
    void aFailureNamesTheWorkerOfTheDevice() {
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", array);
            CompiledGraph graph = session.record("graph", rec -> {
                rec.task("first").updates(x).run(plus(1));
                rec.task("last").updates(x).run(plus(2, () -> {}, () -> {
                    throw new DeviceException("by test");
                }));
            });
            assertMentions(
                    assertThrows(TaskFailedException.class, graph::run), "task \"last\" failed on worker 2 (UPDATE x)");
        }
    }

    /** Time passes in kernels alone here. Where the first one ends is seen by a thread that may be late. */
    @Test
    void theTimesOfKernelsAreMeasuredAndTraced() {
        AtomicLong now = new AtomicLong(1);
        long each = 1_000_000;
        try (Session session = Session.builder()
                .workers(2)
                .devices("emulated0")
                .clock(now::get)
                .trace(100)
                .open()) {
            Data x = session.data().vector("x", array);
            CompiledGraph graph = session.record("graph", rec -> {
                for (String name : List.of("first", "second")) {
                    rec.task(name).updates(x).run(kernel(name, () -> {}, its -> now.addAndGet(each)));
                }
            });
            graph.measure(true);
            graph.run();
            session.graph().task("live").updates(x).run(kernel("live", () -> {}, its -> now.addAndGet(each)));
            session.graph().await();
            long measured = graph.snapshot().tasks().stream()
                    .mapToLong(GraphSnapshot.Task::weightNanos)
                    .sum();
            assertTrue(Math.abs(measured - 2 * each) <= 1, measured + " ns"); // a task that takes no time takes 1 ns
            List<String> names = new ArrayList<>();
            AtomicLong traced = new AtomicLong();
            session.trace().lanes().stream()
                    .filter(lane -> lane.name().equals("emulated0 kernels"))
                    .forEach(lane -> lane.spans(span -> {
                        names.add(session.trace().nameOf(span.nameId()));
                        traced.addAndGet(span.endNanos() - span.startNanos());
                    }));
            assertEquals(List.of("first", "second", "live"), names);
            assertEquals(3 * each, traced.get());
        }
    }

    /** What is not told yet is cancelled. */
    @Test
    void aCancelComesTooLateForKernelsThatTheDeviceWasTold() {
        AtomicInteger done = new AtomicInteger();
        CountDownLatch known = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        CountDownLatch firstOver = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", array);
            CompiledGraph graph = session.record("graph", rec -> {
                rec.task("holds").updates(x).run(plus(1, () -> {}, () -> await(cancelled)));
                rec.task("told").updates(x).run(plus(2, known::countDown, () -> {
                    firstOver.countDown();
                    await(go);
                    done.incrementAndGet();
                }));
                rec.task("on the host")
                        .updates(x)
                        .run(context -> context.memory(x).setDouble(0, 0));
            });
            CompletableFuture<?> run = CompletableFuture.runAsync(graph::run);
            await(known);
            graph.cancel();
            cancelled.countDown();
            await(firstOver);
            assertTrue(graph.isRunning());
            go.countDown();
            var ended = assertThrows(ExecutionException.class, run::get);
            assertInstanceOf(CancellationException.class, ended.getCause());
            assertEquals(1, done.get(), "it is over when the device has done it");
            assertEquals(1, graph.report().cancelled());
            session.data().fetch(x);
        }
        assertEquals(next(next(1, 1), 2), array[0]);
    }

    @Test
    void longChainsOnSeveralDevicesAndTheHostGiveWhatALoopGives() {
        for (int workers = 1; workers <= 3; workers++) {
            array[0] = 1;
            double expected = 1;
            try (Session session = session(workers, 2)) {
                Data x = session.data().vector("x", array);
                CompiledGraph graph = session.record("graph", rec -> {
                    for (int i = 0; i < 1500; i++) {
                        if (i % 397 == 396) {
                            host(rec, x, i);
                        } else {
                            ExecutionTarget on = ExecutionTarget.named("emulated" + i / 350 % 2);
                            rec.task("kernel").updates(x).on(on).run(plus(i));
                        }
                    }
                });
                for (int run = 0; run < 3; run++) {
                    graph.run();
                    for (int i = 0; i < 1500; i++) {
                        expected = next(expected, i);
                    }
                }
                session.data().fetch(x);
            }
            assertEquals(expected, array[0], "with " + workers + " workers");
        }
    }
}
