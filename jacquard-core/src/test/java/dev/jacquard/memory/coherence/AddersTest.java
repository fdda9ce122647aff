package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraph.DataUse;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that add to data run side by side where they meet in one replica, and lose nothing where they do not. */
@Timeout(120)
class AddersTest {
    private static final ExecutionTarget ONE = ExecutionTarget.named("emulated0");
    private static final ExecutionTarget OTHER = ExecutionTarget.named("emulated1");
    private static final int LENGTH = 64;

    /** Adds its number to every element. */
    private static final Kernel ADD = Kernel.named("add")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("add", launch -> {
                MemorySegment x = launch.memory(1);
                for (long i = 0; i < x.byteSize() / 8; i++) {
                    x.setAtIndex(ValueLayout.JAVA_LONG, i, x.getAtIndex(ValueLayout.JAVA_LONG, i) + launch.longAt(0));
                }
            }))
            .onHost(arguments -> {
                Memory x = arguments.memory(1);
                for (long i = 0; i < x.extent(0); i++) {
                    x.addLong(i, arguments.integer(0));
                }
            });

    private static Session twoDevices(int workers) {
        return Session.builder()
                .workers(workers)
                .devices("emulated0", "emulated1")
                .open();
    }

    @Test
    void addersOnTheHostRunAtOnceAndLoseNothing() throws InterruptedException {
        double[] home = new double[1];
        try (Session session = Session.builder().workers(3).open()) {
            Data x = session.data().vector("x", home);
            CountDownLatch both = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                session.graph().task("meet").adds(x).run(context -> {
                    both.countDown();
                    both.await(); // ends only if both run at once
                    context.memory(x).addDouble(0, 1);
                });
            }
            for (int i = 0; i < 200; i++) {
                session.graph().task("add").adds(x).run(context -> {
                    for (int k = 0; k < 50; k++) {
                        context.memory(x).addDouble(0, 1);
                    }
                });
            }
            session.data().fetch(x);
            assertEquals(10_002, home[0]);
        }
    }

    @Test
    void addersOnOneDeviceNeedOneCopy() {
        long[] home = new long[LENGTH];
        try (Session session = twoDevices(1)) {
            Data x = session.data().vector("x", home);
            ExecutionTarget one = session.devices(ExecutionTarget.EMULATED).getFirst();
            for (int i = 0; i < 10; i++) {
                session.graph().task("add").adds(x).on(one).run(ADD, 2L);
            }
            session.data().fetch(x);
            assertEquals(20, home[LENGTH - 1]);
            assertEquals(2, session.data().transfers().copies(), "in and out");
        }
    }

    /** The rule for data differs from that for handles, where others may add: there is no whole value to begin with. */
    @Test
    void nothingIsAddedToDataThatAFailedTaskHasLeftHalfDone() {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", new long[1]);
            Handle<long[]> y = session.wrap("y", new long[1]);
            for (Resource each : List.of(x, y)) {
                Task<?> fails = session.graph().task("fails").adds(each).run(context -> {
                    throw new IllegalStateException("planned");
                });
                assertThrows(TaskFailedException.class, fails::join);
                Task<?> later = session.graph().task("later").adds(each).run(context -> {});
                Task<?> reads = session.graph().task("reads").reads(each).run(context -> {});
                if (each == x) {
                    assertMentions(
                            assertThrows(TaskFailedException.class, later::join),
                            "task \"later\" begins with x[0 until 1], as the user wrote it, and that is lost: the"
                                    + " memory that had it failed, or a task that was to write it did");
                } else {
                    later.join();
                }
                assertThrows(TaskFailedException.class, reads::join);
                assertEquals(TaskState.CANCELLED, reads.state());
            }
        }
    }

    /** A device has the version before: in the host's memory it would take away what was added there since. */
    @Test
    void whatIsAddedBesideOneThatFailsInARecordedRunIsNotLostUnseen() {
        long[] home = new long[1];
        CountDownLatch added = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Session session = twoDevices(2);
        Data x = session.data().vector("x", home);
        CompiledGraph fails = session.record(
                "run",
                rec -> rec.task("fails").adds(x).run(context -> {
                    throw new IllegalStateException("planned");
                }));
        session.graph().task("brings").adds(x).on(ONE).run(ADD, 100L);
        session.data().fetch(x); // the host has it, too
        Task<?> second = session.graph().task("second").adds(x).run(context -> {
            context.memory(x).addLong(0, 10);
            added.countDown();
            goOn.await();
        });
        Watchdog.await(added, "the second has added");
        assertThrows(TaskFailedException.class, fails::run);
        session.graph().task("third").adds(x).run(context -> {
            goOn.countDown();
            Watchdog.until(() -> second.state() == TaskState.DONE, "the second is over");
            context.memory(x).addLong(0, 1);
        });
        session.executor().background(() -> {
            Watchdog.until(
                    () -> goOn.getCount() == 0 || session.snapshot().toString().contains("1 not seen"),
                    "the third has begun, or waits for the second");
            goOn.countDown();
        });
        String told = assertThrows(
                        TaskFailedException.class, () -> session.graph().await())
                .toString();
        assertTrue(told.contains("as task \"second\" wrote it, and that is lost"), told);
        session.close();
    }

    @Test
    void addersInSeveralMemoriesTakeTurns() {
        long[] home = new long[LENGTH];
        try (Session session = twoDevices(2)) {
            Data x = session.data().vector("x", home);
            List<ExecutionTarget> places = List.of(ExecutionTarget.HOST, ONE, OTHER);
            for (int i = 0; i < 60; i++) {
                session.graph().task("add").adds(x).on(places.get(i % 3)).run(ADD, (long) i);
            }
            session.data().fetch(x);
            for (long element : home) {
                assertEquals(59 * 60 / 2, element);
            }
        }
    }

    @Test
    void partsThatOverlapOnADeviceTakeTurnsToo() {
        long[] home = new long[8];
        try (Session session = twoDevices(1)) {
            Data x = session.data().vector("x", home);
            for (int i = 0; i < 5; i++) {
                session.graph().task("left").adds(x.rows(0, 5)).on(ONE).run(ADD, 1L);
                session.graph().task("right").adds(x.rows(3, 8)).on(ONE).run(ADD, 10L);
            }
            session.data().fetch(x);
            assertArrayEquals(new long[] {5, 5, 5, 55, 55, 50, 50, 50}, home);
        }
    }

    @Test
    void whoWaitsForAddersElsewhereHoldsNobodyUp() {
        long[] home = new long[LENGTH];
        try (Session session = twoDevices(1)) {
            Data x = session.data().vector("x", home);
            Data y = session.data().vector("y", new long[LENGTH]);
            try (UserView view = session.graph().task("mine").adds(x).open()) {
                view.memory().addLong(0, 7);
                var behind = session.graph().task("add").adds(x).on(ONE).run(ADD, 1L);
                session.graph().task("other").updates(y).on(ONE).run(ADD, 1L).join();
                assertTrue(behind.state() != TaskState.DONE);
            }
            session.data().fetch(x);
            assertEquals(8, home[0]);
            assertEquals(1, home[1]);
        }
    }

    @Test
    void theAdditionsOfARunTakeTurnsWithThoseElsewhere() {
        long[] home = new long[LENGTH];
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Session session = twoDevices(2)) {
            Data x = session.data().vector("x", home);
            Data y = session.data().vector("y", new long[LENGTH]);
            CompiledGraph run = session.record(
                    "run",
                    graph -> graph.task("mine").adds(x.rows(0, 8)).run(context -> {
                        context.memory(x.rows(0, 8)).addLong(0, 7);
                        begun.countDown();
                        mayEnd.await();
                    }));
            assertEquals(DataUse.HOST, run.dataUse());
            run.start();
            try {
                Watchdog.await(begun, "the run's task runs on the other worker");
                var behind = session.graph().task("add").adds(x).on(ONE).run(ADD, 1L);
                session.graph().task("other").updates(y).on(ONE).run(ADD, 1L).join();
                assertTrue(behind.state() != TaskState.DONE);
            } finally {
                mayEnd.countDown();
            }
            run.join();
            session.data().fetch(x);
            assertEquals(8, home[0]);
            assertEquals(1, home[LENGTH - 1]);
        }
    }

    @Test
    void atomicSumsOfEachTypeAndOfMatrices() {
        try (Session session = Session.builder().workers(1).open()) {
            Data doubles = session.data().matrix("d", DataType.FLOAT64, 2, 3);
            Data longs = session.data().matrix("l", DataType.INT64, 2, 3);
            Data floats = session.data().vector("f", new float[2]);
            Data ints = session.data().vector("i", new int[2]);
            session.graph().task("clear").writes(doubles).writes(longs).run(context -> {
                context.memory(doubles).segment().fill((byte) 0);
                context.memory(longs).segment().fill((byte) 0);
            });
            session.graph()
                    .task("add")
                    .adds(doubles)
                    .adds(longs)
                    .adds(floats)
                    .adds(ints)
                    .run(context -> {
                        for (int i = 0; i < 3; i++) {
                            context.memory(doubles).addDouble(1, 2, 0.5);
                            context.memory(longs).addLong(1, 2, 5);
                            context.memory(floats).addFloat(1, 0.25f);
                            context.memory(ints).addInt(1, 7);
                        }
                    });
            assertEquals(
                    1.5 + 15 + 0.75 + 21,
                    session.graph()
                            .task("read")
                            .reads(doubles)
                            .reads(longs)
                            .reads(floats)
                            .reads(ints)
                            .call(context -> context.memory(doubles).getDouble(1, 2)
                                    + context.memory(longs).getLong(1, 2)
                                    + context.memory(floats).getFloat(1)
                                    + context.memory(ints).getInt(1))
                            .join());
            Memory bytes = new Memory(MemorySegment.ofArray(new byte[16]), Layout.of(DataType.INT64, 2));
            assertMentions(assertThrows(IllegalArgumentException.class, () -> bytes.addLong(1, 1)), "alignment");
        }
    }

    @Test
    void randomAddersAndReadersGiveTheSumsOfALoop() {
        for (long seed = 1; seed <= 60; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            boolean tight = random.nextBoolean();
            SessionBuilder builder = Session.builder().workers(1 + random.nextInt(2));
            for (int i = 0; i < 2; i++) {
                builder.device(EmulatedDevice.offer("emulated" + i), tight ? 2 * LENGTH * 8 : 1 << 20);
            }
            if (random.nextInt(3) == 0) {
                builder.checking();
            }
            long[][] homes = new long[2][LENGTH];
            long[][] wanted = new long[2][LENGTH];
            try (Session session = builder.open()) {
                Data[] data = {
                    session.data().vector("x", homes[0]), session.data().vector("y", homes[1])
                };
                for (int step = 0; step < 60; step++) {
                    int which = random.nextInt(2);
                    int from = 8 * random.nextInt(LENGTH / 8);
                    int to = Math.min(LENGTH, from + 8 + random.nextInt(3) * 8);
                    View part = new View(data[which], Box.of(new long[] {from}, new long[] {to}));
                    ExecutionTarget place =
                            List.of(ExecutionTarget.HOST, ONE, OTHER).get(random.nextInt(3));
                    long summand = random.nextInt(1000);
                    var task = session.graph().task("step " + step);
                    if (random.nextInt(4) == 0) {
                        task.updates(part);
                    } else {
                        task.adds(part);
                    }
                    task.on(place).run(ADD, summand);
                    for (int i = from; i < to; i++) {
                        wanted[which][i] += summand;
                    }
                }
                session.data().fetch(data[0]);
                session.data().fetch(data[1]);
                assertArrayEquals(wanted[0], homes[0], "seed " + seed);
                assertArrayEquals(wanted[1], homes[1], "seed " + seed);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** A failed task loses what it was to write, and no more of what others added at the same time. */
    @Test
    void aTaskThatFailsSpoilsOnlyWhatItWasToAddTo() {
        try (Session session = twoDevices(2)) {
            long[] home = new long[LENGTH];
            Data x = session.data().vector("x", home);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch over = new CountDownLatch(1);
            Task<?> all = session.graph().task("all").adds(x).run(context -> {
                for (long i = 0; i < LENGTH; i++) {
                    context.memory(x).addLong(i, 1);
                }
                begun.countDown();
                Watchdog.await(over, "the task that fails is over");
            });
            Task<?> bad = session.graph().task("bad").adds(x.rows(0, 2)).run(context -> {
                Watchdog.await(begun, "the other task adds");
                throw new IllegalStateException("half");
            });
            assertThrows(TaskFailedException.class, bad::join);
            over.countDown();
            all.join();
            Task<Long> rest = session.graph()
                    .task("rest")
                    .reads(x.rows(2, LENGTH))
                    .call(context -> context.memory(x.rows(2, LENGTH)).getLong(0));
            assertEquals(1, rest.join());
            Task<?> lost = session.graph().task("lost").reads(x.rows(1, 3)).run(context -> {});
            assertThrows(TaskFailedException.class, lost::join);
        }
    }

    @Test
    void whoAddsIsNotTriedAgain() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().vector("x", new double[4]);
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> session.graph()
                                    .task("add")
                                    .adds(x.rows(0, 2))
                                    .retries(1)
                                    .run(context -> {})),
                    "\"add\" cannot be retried",
                    "others may write concurrently or with it");
        }
    }
}
