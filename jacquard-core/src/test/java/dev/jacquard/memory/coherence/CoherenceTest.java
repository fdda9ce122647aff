package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.DataManager;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is moved, and that it is no more than must be: the counts are exact. */
class CoherenceTest {
    private static final int LENGTH = 1000;
    private static final long BYTES = LENGTH * 8L;
    private static final ExecutionTarget ONE = ExecutionTarget.named("emulated0");
    private static final ExecutionTarget OTHER = ExecutionTarget.named("emulated1");

    /** {@code y += a x}, on hosts and emulated devices. */
    static final Kernel AXPY = Kernel.named("axpy")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("axpy", CoherenceTest::axpy))
            .onHost(arguments -> {
                Memory x = arguments.memory(1);
                Memory y = arguments.memory(2);
                for (long i = 0; i < x.extent(0); i++) {
                    y.setDouble(i, y.getDouble(i) + arguments.number(0) * x.getDouble(i));
                }
            });

    /** Everything 1. */
    private static final Kernel FILL = Kernel.named("fill")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("fill", launch -> {
                MemorySegment x = launch.memory(0);
                for (long i = 0; i < x.byteSize() / 8; i++) {
                    x.setAtIndex(ValueLayout.JAVA_DOUBLE, i, 1);
                }
            }));

    private static void axpy(EmulatedBody.Launch launch) {
        MemorySegment x = launch.memory(1);
        MemorySegment y = launch.memory(2);
        for (long i = 0; i < x.byteSize() / 8; i++) {
            y.setAtIndex(
                    ValueLayout.JAVA_DOUBLE,
                    i,
                    y.getAtIndex(ValueLayout.JAVA_DOUBLE, i)
                            + launch.doubleAt(0) * x.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
        }
    }

    private static Session oneDevice() {
        return Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"))
                .open();
    }

    private static Session twoDevices(boolean peers) {
        var one = EmulatedDevice.offer("emulated0");
        var other = EmulatedDevice.offer("emulated1");
        return Session.builder()
                .workers(1)
                .device(peers ? one : one.withoutPeers())
                .device(peers ? other : other.withoutPeers())
                .open();
    }

    private static double[] filled(double value) {
        double[] array = new double[LENGTH];
        Arrays.fill(array, value);
        return array;
    }

    static void assertMoved(DataManager data, long copies, long bytes) {
        Transfers moved = data.transfers();
        assertEquals(copies, moved.copies(), moved::toString);
        assertEquals(bytes, moved.bytes(), moved::toString);
    }

    @Test
    void axpyRunsWhereADeviceIs() {
        double[] x = filled(1);
        double[] y = filled(2);
        try (Session session = oneDevice()) {
            Data dx = session.data().vector("x", x);
            Data dy = session.data().vector("y", y);
            session.graph().task("axpy").reads(dx).updates(dy).run(AXPY, 2.0);
            session.graph().await();
            assertMoved(session.data(), 2, 2 * BYTES);
            assertArrayEquals(filled(2), y, "the home is as old as it was");
            session.data().fetch(dy);
            assertArrayEquals(filled(4), y);
            assertMoved(session.data(), 3, 3 * BYTES);
            session.data().fetch(dy);
            session.data().fetch(dx);
            assertMoved(session.data(), 3, 3 * BYTES);
        }
    }

    @Test
    void onTheHostNothingMoves() {
        double[] y = filled(2);
        try (Session session = oneDevice()) {
            Data dx = session.data().vector("x", filled(1));
            Data dy = session.data().vector("y", y);
            session.graph()
                    .task("axpy")
                    .reads(dx)
                    .updates(dy)
                    .on(ExecutionTarget.HOST)
                    .run(AXPY, 2.0);
            session.graph().await();
            assertArrayEquals(filled(4), y);
            assertMoved(session.data(), 0, 0);
        }
    }

    @Test
    void aChainMovesItsDataInOnceAndOutOnce() {
        double[] y = filled(0);
        try (Session session = oneDevice()) {
            Data dx = session.data().vector("x", filled(1));
            Data dy = session.data().vector("y", y);
            for (int i = 0; i < 20; i++) {
                session.graph().task("step").reads(dx).updates(dy).run(AXPY, 1.0);
            }
            session.data().fetch(dy);
            assertArrayEquals(filled(20), y);
            assertMoved(session.data(), 3, 3 * BYTES);
        }
    }

    @Test
    void whatIsOverwrittenIsNotBrought() {
        double[] x = filled(7);
        try (Session session = oneDevice()) {
            Data dx = session.data().vector("x", x);
            session.graph().task("fill").writes(dx).run(FILL);
            session.data().fetch(dx);
            assertArrayEquals(filled(1), x);
            assertMoved(session.data(), 1, BYTES);
        }
    }

    @Test
    void memoryOfTheEnginesIsMadeWhereItIsWritten() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", DataType.FLOAT64, LENGTH);
            session.graph().task("fill").writes(x).run(FILL);
            session.graph().await();
            assertMoved(session.data(), 0, 0);
            double sum = session.graph()
                    .task("sum")
                    .reads(x)
                    .call(ctx -> {
                        double all = 0;
                        for (int i = 0; i < LENGTH; i++) {
                            all += ctx.memory(x).getDouble(i);
                        }
                        return all;
                    })
                    .join();
            assertEquals(LENGTH, sum);
            assertMoved(session.data(), 1, BYTES);
        }
    }

    @Test
    void readersShareOneCopyPerDevice() {
        try (Session session = twoDevices(true)) {
            Data x = session.data().vector("x", filled(1));
            for (int i = 0; i < 10; i++) {
                Data y = session.data().vector("y" + i, DataType.FLOAT64, LENGTH);
                ExecutionTarget where = i % 2 == 0 ? ONE : OTHER;
                session.graph().task("fill").writes(y).on(where).run(FILL);
                session.graph().task("axpy").reads(x).updates(y).on(where).run(AXPY, 1.0);
            }
            session.graph().await();
            assertMoved(session.data(), 2, 2 * BYTES);
        }
    }

    @Test
    void aTreeMovesOneOfTwoAtEachJoin() {
        for (boolean peers : List.of(true, false)) {
            try (Session session = twoDevices(peers)) {
                TaskGraph graph = session.graph();
                Data[] level = new Data[8];
                for (int i = 0; i < level.length; i++) {
                    level[i] = session.data().vector("leaf" + i, DataType.FLOAT64, LENGTH);
                    graph.task("fill").writes(level[i]).on(i < 4 ? ONE : OTHER).run(FILL);
                }
                for (int width = 4; width >= 1; width /= 2) {
                    for (int i = 0; i < width; i++) {
                        ExecutionTarget where = i < Math.max(1, width / 2) ? ONE : OTHER;
                        graph.task("join")
                                .reads(level[i + width])
                                .updates(level[i])
                                .on(where)
                                .run(AXPY, 1.0);
                    }
                }
                session.data().fetch(level[0]);
                // width 4: leaves 4..7 are on the other; joins 0, 1 run on one, 2, 3 on the other: 2 reads and 2
                // updates cross.
                // width 2: joins 0 on one (reads 2, from the other), 1 on the other (reads 3 there, updates 1 from
                // one). width 1: reads 1.
                long crossing = 2 + 2 + 1 + 1 + 1;
                long fetched = 1;
                assertMoved(
                        session.data(),
                        (peers ? crossing : 2 * crossing) + fetched,
                        ((peers ? crossing : 2 * crossing) + fetched) * BYTES);
            }
        }
    }

    @Test
    void partsMoveByThemselves() {
        double[] x = filled(1);
        try (Session session = oneDevice()) {
            Data dx = session.data().vector("x", x);
            session.graph()
                    .task("part")
                    .reads(dx.rows(0, 100))
                    .updates(dx.rows(500, 600))
                    .run(AXPY, 1.0);
            session.graph().await();
            assertMoved(session.data(), 2, 1600);
            session.data().fetch(dx);
            assertMoved(session.data(), 3, 2400);
            double[] expected = filled(1);
            Arrays.fill(expected, 500, 600, 2);
            assertArrayEquals(expected, x);
        }
    }

    @Test
    void aHaloBringsOnlyWhatIsNotThere() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", filled(1));
            Data y = session.data().vector("y", filled(0));
            session.graph()
                    .task("first")
                    .reads(x.rows(100, 200))
                    .updates(y.rows(100, 200))
                    .run(AXPY, 1.0);
            session.graph().await();
            assertMoved(session.data(), 2, 1600);
            session.graph()
                    .task("halo")
                    .reads(x.rows(100, 200).halo(1))
                    .updates(y.rows(100, 200).halo(1))
                    .run(AXPY, 1.0);
            session.graph().await();
            long fromHost = session.data().transfers().links().stream()
                    .filter(link -> link.from().equals("host"))
                    .mapToLong(Transfers.Link::bytes)
                    .sum();
            assertEquals(
                    1600 + 2 * 2 * 8, fromHost, () -> session.data().transfers().toString());
        }
    }

    @Test
    void whatDoesNotFitMakesRoom() {
        double[] y = filled(0);
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"), 3 * BYTES)
                .open()) {
            Data dy = session.data().vector("y", y);
            Data[] xs = new Data[6];
            for (int i = 0; i < xs.length; i++) {
                xs[i] = session.data().vector("x" + i, filled(i));
            }
            for (int round = 0; round < 3; round++) {
                for (Data x : xs) {
                    session.graph().task("axpy").reads(x).updates(dy).run(AXPY, 1.0);
                }
            }
            session.data().fetch(dy);
            assertArrayEquals(filled(3 * 15), y);
            Transfers.Used used = session.data().transfers().spaces().get(1);
            assertTrue(used.peak() <= 3 * BYTES, used::toString);
            assertTrue(used.evictions() > 0, used::toString);
        }
    }

    @Test
    void twoThatEvictEachOtherMakeProgress() {
        double[] a = filled(0);
        double[] b = filled(0);
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"), 2 * BYTES)
                .open()) {
            Data da = session.data().vector("a", a);
            Data db = session.data().vector("b", b);
            Data one = session.data().vector("one", filled(1));
            Data two = session.data().vector("two", filled(2));
            for (int i = 0; i < 50; i++) {
                session.graph().task("a").reads(one).updates(da).run(AXPY, 1.0);
                session.graph().task("b").reads(two).updates(db).run(AXPY, 1.0);
            }
            session.data().fetch(da);
            session.data().fetch(db);
            assertArrayEquals(filled(50), a);
            assertArrayEquals(filled(100), b);
        }
    }

    @Test
    void whatCanNeverFitIsRefused() {
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"), 2 * BYTES - 1)
                .open()) {
            Data x = session.data().vector("x", filled(1));
            Data y = session.data().vector("y", filled(1));
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> session.graph()
                            .task("large")
                            .reads(x)
                            .updates(y)
                            .on(ExecutionTarget.EMULATED)
                            .run(AXPY, 1.0));
            assertTrue(refused.toString().contains("task \"large\" accesses 16000 bytes"), refused::toString);
        }
    }

    @Test
    void onTheHostTooButForTheUsersArrays() {
        try (Session session =
                Session.builder().workers(1).hostMemory(BYTES - 1).open()) {
            Data made = session.data().vector("made", DataType.FLOAT64, LENGTH);
            Data home = session.data().vector("home", filled(1));
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> session.graph().task("large").writes(made).run(ctx -> {}));
            assertTrue(refused.toString().contains("host may hold 7999"), refused::toString);
            session.graph().task("fits").updates(home).run(ctx -> {});
            session.graph().await();
        }
    }

    private static Data written(Session session, String name) {
        Data made = session.data().vector(name, DataType.FLOAT64, LENGTH);
        session.graph()
                .task("write " + name)
                .writes(made)
                .run(ctx -> ctx.memory(made).segment().fill((byte) 0));
        return made;
    }

    @Test
    void whatHasNowhereToGoStays() {
        try (Session session = Session.builder().workers(1).hostMemory(BYTES).open()) {
            written(session, "x");
            session.graph().await();
            written(session, "y");
            TaskFailedException failed = assertThrows(
                    TaskFailedException.class, () -> session.graph().await());
            assertTrue(
                    String.valueOf(failed.getCause()).contains("task \"write y\" finds no room for its data"),
                    failed::toString);
        }
    }

    @Test
    void whatChangedOnDiskIsNotUsed(@TempDir Path folder) {
        DiskSpace disk = new DiskSpace(
                "disk",
                new Limits.Disk(folder, 10 * BYTES, false),
                (name, body) -> Thread.ofPlatform().start(body));
        try {
            DiskSpace.Extent ours = (DiskSpace.Extent) disk.allocate(Layout.of(DataType.FLOAT64, LENGTH));
            DiskSpace.Extent others = new DiskSpace.Extent(ours.offset, ours.capacity, ours.bytes);
            List<String> ends = Collections.synchronizedList(new ArrayList<>());
            disk.write(ours, target -> target.fill((byte) 1), end -> ends.add("write: " + end));
            disk.read(ours, source -> {}, end -> ends.add("read: " + end));
            disk.write(others, target -> target.fill((byte) 2), end -> ends.add("write: " + end));
            disk.read(ours, source -> {}, end -> ends.add("read: " + end));
            disk.close();
            assertEquals(List.of("write: null", "read: null", "write: null"), ends.subList(0, 3));
            assertTrue(ends.get(3).contains("its checksum differs"), ends::toString);
        } finally {
            disk.close();
        }
    }

    @Test
    void whatNobodyHasWrittenCannotBeRead() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", DataType.FLOAT64, LENGTH);
            Data y = session.data().vector("y", filled(1));
            session.graph().task("reads").reads(x).updates(y).run(AXPY, 1.0);
            TaskFailedException failed = assertThrows(
                    TaskFailedException.class, () -> session.graph().await());
            assertTrue(
                    String.valueOf(failed.getCause()).contains("reads x[0 until 1000], which no task has written"),
                    failed::toString);
        }
    }

    @Test
    void aFailedLaunchFailsItsTaskAndNoOther() {
        double[] y = filled(0);
        double[] z = filled(0);
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(Kind.LAUNCH, 2)))
                .open()) {
            TaskGraph graph = session.graph("faults", FailurePolicy.CONTINUE);
            Data x = session.data().vector("x", filled(1));
            Data dy = session.data().vector("y", y);
            Data dz = session.data().vector("z", z);
            graph.task("first").reads(x).updates(dy).run(AXPY, 1.0);
            graph.await();
            graph.task("second").reads(x).updates(dy).on(ONE).run(AXPY, 1.0);
            for (int i = 0; i < 20; i++) {
                graph.task("other").reads(x).updates(dz).run(AXPY, 1.0);
            }
            TaskFailedException failed = assertThrows(TaskFailedException.class, graph::await);
            assertTrue(failed.toString().contains("task \"second\" failed"), failed::toString);
            assertEquals(21, graph.report().done());
            session.data().fetch(dz);
            assertArrayEquals(filled(20), z);
        }
    }

    @Test
    void failedCopiesAreTriedAgain() {
        double[] y = filled(0);
        try (Session session = Session.builder()
                .workers(2)
                .device(
                        EmulatedDevice.offer("emulated0")
                                .faults(FaultPlan.NONE.rate(Kind.COPY, 0.05).seed(3)),
                        3 * BYTES)
                .open()) {
            Data dy = session.data().vector("y", y);
            for (int i = 0; i < 200; i++) {
                Data x = session.data().vector("x" + i, filled(1));
                session.graph().task("axpy").reads(x).updates(dy).run(AXPY, 1.0);
            }
            session.data().fetch(dy);
            assertArrayEquals(filled(200), y);
        }
    }

    @Test
    void aCancelledGraphWaitsForWhatTheDeviceDoes() {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        Kernel slow = Kernel.named("slow").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("slow", launch -> {
            runs.countDown();
            cancelled.await();
            over.set(true);
        }));
        try (Session session = oneDevice()) {
            TaskGraph graph = session.graph("cancelled", FailurePolicy.CONTINUE);
            Data x = session.data().vector("x", filled(1));
            graph.task("slow").updates(x).run(slow);
            graph.task("behind").updates(x).run(slow);
            Thread canceller = Thread.ofPlatform().start(() -> {
                try {
                    runs.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                graph.cancel();
                cancelled.countDown();
            });
            assertThrows(CancellationException.class, graph::await);
            assertTrue(over.get(), "its memory must not be given away before");
            canceller.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aBodyThatLooksIntoADevicesMemoryIsToldWhere() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", filled(1));
            session.graph().task("body").reads(x).on(ONE).run(ctx -> ctx.memory(x));
            TaskFailedException failed = assertThrows(
                    TaskFailedException.class, () -> session.graph().await());
            assertTrue(
                    String.valueOf(failed.getCause()).contains("runs on emulated0, and x is in that device's memory"),
                    failed::toString);
        }
    }

    @Test
    void aPartOutsideIsRefused() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", filled(1));
            assertThrows(IllegalArgumentException.class, () -> x.rows(900, 1001));
            assertThrows(IllegalArgumentException.class, () -> x.block(0, 0, 1, 1));
        }
    }
}
