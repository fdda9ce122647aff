package dev.jacquard.core.macro;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Arguments;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.macro.MacroTask.Where;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.DeviceWork;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Macro tasks on emulated devices, and on the host and devices at once. */
class MacroTaskOnDevicesTest {
    private static final int ITEMS = 60;
    private static final int LENGTH = 5;
    private static final String DEVICE = "emulated0";

    private static Session open(EmulatedOffer... offers) {
        var builder = Session.builder().workers(2);
        for (EmulatedOffer offer : offers) {
            builder.device(offer);
        }
        return builder.open();
    }

    /** Adds the number, and the elements of the first part, to the second. */
    private static void axpy(Arguments arguments) {
        Memory x = arguments.memory("x");
        Memory y = arguments.memory("y");
        for (long i = 0; i < LENGTH; i++) {
            y.setDouble(i, y.getDouble(i) + x.getDouble(i) + arguments.number("a"));
        }
    }

    private static final Kernel AXPY =
            Kernel.named("axpy").parameters("a", "x", "y").onHost(MacroTaskOnDevicesTest::axpy);

    private static View item(Data data, int index) {
        return data.rows((long) index * LENGTH, (long) (index + 1) * LENGTH);
    }

    private static double[] numbers() {
        double[] numbers = new double[ITEMS * LENGTH];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
        }
        return numbers;
    }

    private static void requireNothingLeft(Session session) {
        for (Transfers.Used used : session.data().transfers().spaces()) {
            if (used.space().startsWith("emulated")) {
                assertEquals(0, used.bytes(), used.toString());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"streams, DEVICES", "batched, DEVICES", "streams, BOTH", "batched, BOTH", "streams, HOST"})
    void allPlacesAndDriversComputeTheSame(String driver, Where where) {
        double[] ys = numbers();
        MacroTask.Report report;
        try (Session session = open(EmulatedDevice.offer(DEVICE), EmulatedDevice.offer("emulated1"))) {
            Data x = session.data().vector("x", numbers());
            Data y = session.data().vector("y", ys);
            report = MacroTask.of(ITEMS)
                    .reads(i -> item(x, i))
                    .updates(i -> item(y, i))
                    .kernel(AXPY, i -> new Number[] {i / 7}) // batches end where the number changes
                    .pipeline(driver)
                    .where(where)
                    .submit(session, session.graph().task("axpy").reads(x).updates(y))
                    .join();
            session.data().fetch(y);
            requireNothingLeft(session);
        }
        for (int i = 0; i < ys.length; i++) {
            int number = i / LENGTH / 7;
            assertEquals(2.0 * i + number, ys[i], "element " + i);
        }
        assertEquals(ITEMS, report.done());
        assertEquals(
                where == Where.HOST ? Set.of("host") : Set.of("host", DEVICE, "emulated1"),
                report.places().keySet());
        boolean all = report.places().getOrDefault("host", 0) == ITEMS;
        assertTrue(
                where == Where.BOTH || all == (where == Where.HOST),
                report.places().toString());
    }

    @Test
    void partsOfAnyLayoutAreCopied() {
        Layout gaps = Layout.matrix(DataType.FLOAT64, ITEMS, LENGTH, LENGTH + 3);
        double[] as = new double[ITEMS * (LENGTH + 3)];
        double[] bs = new double[LENGTH * ITEMS];
        for (int i = 0; i < ITEMS; i++) {
            for (int j = 0; j < LENGTH; j++) {
                as[i * (LENGTH + 3) + j] = 10 * i + j;
            }
        }
        Kernel transpose = Kernel.named("transpose").onHost(arguments -> {
            for (int j = 0; j < LENGTH; j++) {
                arguments.memory(1).setDouble(j, 0, arguments.memory(0).getDouble(0, j));
            }
        });
        try (Session session = open(EmulatedDevice.offer(DEVICE))) {
            Data a = session.data().home("a", gaps, MemorySegment.ofArray(as));
            Data b = session.data().matrix("b", bs, LENGTH, ITEMS);
            MacroTask.of(ITEMS)
                    .reads(i -> a.block(i, 0, 1, LENGTH))
                    .writes(i -> b.block(0, i, LENGTH, 1))
                    .kernel(transpose)
                    .where(Where.DEVICES)
                    .submit(session, session.graph().task("transpose").reads(a).writes(b))
                    .join();
            session.data().fetch(b);
        }
        for (int i = 0; i < ITEMS; i++) {
            for (int j = 0; j < LENGTH; j++) {
                assertEquals(10 * i + j, bs[j * ITEMS + i]);
            }
        }
    }

    /** A body that runs code for each launch, and may be batchable. */
    private record Launching(boolean isBatchable, EmulatedBody.Code code) implements DeviceBody {
        @Override
        public void enqueue(DeviceWork work) {
            new EmulatedBody("launching", code).enqueue(work);
        }
    }

    private static Kernel launching(boolean batchable, EmulatedBody.Code code) {
        return Kernel.named("launching").onDevice(ExecutionTarget.EMULATED, new Launching(batchable, code));
    }

    @Test
    void aBatchIsOneLaunch() {
        AtomicInteger launches = new AtomicInteger();
        Set<Long> sizes = ConcurrentHashMap.newKeySet();
        double[] xs = numbers();
        try (Session session = open(EmulatedDevice.offer(DEVICE))) {
            Data x = session.data().vector("x", xs);
            Kernel doubles = launching(true, launch -> {
                launches.getAndIncrement();
                MemorySegment all = launch.memory(0);
                sizes.add(all.byteSize());
                for (long at = 0; at < all.byteSize(); at += Double.BYTES) {
                    all.set(ValueLayout.JAVA_DOUBLE, at, 2 * all.get(ValueLayout.JAVA_DOUBLE, at));
                }
            });
            MacroTask.of(ITEMS)
                    .updates(i -> item(x, i))
                    .kernel(doubles)
                    .pipeline(PipelineDriver.batched(25))
                    .submit(session, session.graph().task("doubles").updates(x))
                    .join();
            session.data().fetch(x);
        }
        assertEquals(3, launches.get());
        assertEquals(Set.of(25L * LENGTH * Double.BYTES, 10L * LENGTH * Double.BYTES), sizes);
        for (int i = 0; i < xs.length; i++) {
            assertEquals(2.0 * i, xs[i]);
        }
    }

    @Test
    void streamsOverlap() {
        CountDownLatch three = new CountDownLatch(3);
        Kernel together = launching(false, launch -> Watchdog.await(three(three), "three kernels run at a time"));
        try (Session session = open(EmulatedDevice.offer(DEVICE))) {
            assertEquals(
                    3,
                    MacroTask.of(3)
                            .kernel(together)
                            .pipeline(PipelineDriver.streams(3))
                            .submit(session, session.graph().task("together"))
                            .join()
                            .done());
        }
    }

    private static CountDownLatch three(CountDownLatch latch) {
        latch.countDown();
        return latch;
    }

    @ParameterizedTest
    @ValueSource(strings = {"streams", "batched"})
    void aFailingItemNamesItselfAndStopsTheRest(String driver) {
        IllegalStateException error = new IllegalStateException("broken");
        double[] ys = numbers();
        Kernel kernel = Kernel.named("kernel").onHost(arguments -> {
            if (arguments.memory(0).getDouble(0) == 17 * LENGTH) {
                throw error;
            }
            arguments.memory(0).setDouble(0, -1);
        });
        try (Session session = open(EmulatedDevice.offer(DEVICE))) {
            Data y = session.data().vector("y", ys);
            MacroTask.Submitted submitted = MacroTask.of(ITEMS)
                    .updates(i -> item(y, i))
                    .kernel(kernel)
                    .pipeline(driver)
                    .where(Where.DEVICES)
                    .submit(session, session.graph().task("basis").updates(y));
            TaskFailedException failure = assertThrows(TaskFailedException.class, submitted::join);
            ItemFailedException cause = assertInstanceOf(ItemFailedException.class, failure.getCause());
            assertMentions(cause, "item 17 ", "macro task \"basis\"", DEVICE, "broken");
            assertSame(error, cause.getCause());
            MacroTask.Report report = Objects.requireNonNull(cause.report());
            assertEquals(1, report.failed());
            assertEquals(ITEMS, report.done() + 1 + report.cancelled());
            requireNothingLeft(session);
        }
        assertEquals(17 * LENGTH, ys[17 * LENGTH]); // a failed item leaves its part as it was
    }

    @Test
    void aCancelStopsTheItemsThatHaveNotBegun() {
        CountDownLatch started = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        Kernel kernel = launching(false, launch -> {
            started.countDown();
            Watchdog.await(release, "the test goes on");
        });
        try (Session session = open(EmulatedDevice.offer(DEVICE))) {
            TaskGraph graph = session.graph("cancelled", FailurePolicy.CONTINUE);
            MacroTask.Submitted submitted = MacroTask.of(ITEMS)
                    .kernel(kernel)
                    .pipeline(PipelineDriver.streams(2))
                    .submit(session, graph.task("basis"));
            Watchdog.await(started, "both streams run an item");
            graph.cancel();
            release.countDown();
            assertThrows(CancellationException.class, graph::await);
            assertEquals(new MacroTask.Report(ITEMS, 2, 0, ITEMS - 2, Map.of(DEVICE, 2)), submitted.report());
        }
    }

    @Test
    void theHostAndADeviceShareTheItems() {
        CompletableFuture<MacroTask.Submitted> known = new CompletableFuture<>();
        CountDownLatch hostRuns = new CountDownLatch(1);
        Kernel kernel = launching(false, launch -> Watchdog.await(hostRuns, "the host has an item"));
        try (Session session = open(EmulatedDevice.offer(DEVICE))) {
            MacroTask.Submitted submitted = MacroTask.of(ITEMS)
                    .forkJoin(ForkJoinDriver.threads(1))
                    .body(item -> {
                        hostRuns.countDown();
                        Watchdog.until(
                                () -> known.join().report().done() == ITEMS - 1, "the device does all other items");
                    })
                    .kernel(kernel)
                    .where(Where.BOTH)
                    .submit(session, session.graph().task("both"));
            known.complete(submitted);
            assertEquals(Map.of("host", 1, DEVICE, ITEMS - 1), submitted.join().places());
        }
    }

    @ParameterizedTest
    @CsvSource({"LOSS, 20", "LAUNCH, 5", "COPY, 9"})
    void theHostDoesWhatADeviceCannot(Kind kind, long number) {
        double[] ys = numbers();
        try (Session session = open(EmulatedDevice.offer(DEVICE).faults(FaultPlan.NONE.at(kind, number)))) {
            Data y = session.data().vector("y", ys);
            MacroTask.Report report = MacroTask.of(ITEMS)
                    .updates(i -> item(y, i))
                    .body(item -> item.memory(0).setDouble(0, -1))
                    .kernel(launching(false, launch -> launch.memory(0).set(ValueLayout.JAVA_DOUBLE, 0, -1)))
                    .pipeline(PipelineDriver.streams(1))
                    .submit(session, session.graph().task("basis").updates(y))
                    .join();
            assertEquals(ITEMS, report.done());
            assertTrue(report.places().getOrDefault("host", 0) > 0, report.toString());
            session.data().fetch(y);
        }
        for (int i = 0; i < ITEMS; i++) {
            assertEquals(-1, ys[i * LENGTH]);
        }
    }

    @Test
    void withoutTheHostALostDeviceFailsTheTask() {
        try (Session session = open(EmulatedDevice.offer(DEVICE).faults(FaultPlan.NONE.at(Kind.LOSS, 3)))) {
            MacroTask.Submitted submitted = MacroTask.of(ITEMS)
                    .kernel(launching(false, launch -> {}))
                    .where(Where.DEVICES)
                    .submit(session, session.graph().task("basis"));
            TaskFailedException failure = assertThrows(TaskFailedException.class, submitted::join);
            ItemFailedException cause = assertInstanceOf(ItemFailedException.class, failure.getCause());
            assertMentions(cause, "macro task \"basis\"", DEVICE, "is lost");
            assertInstanceOf(DeviceLostException.class, cause.getCause());
            assertEquals(
                    ITEMS,
                    submitted.report().done()
                            + submitted.report().failed()
                            + submitted.report().cancelled());
        }
    }

    @Test
    void aDeviceWithoutRoomLeavesItemsToTheHost() {
        double[] ys = numbers();
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer(DEVICE), 8)
                .open()) {
            Data y = session.data().vector("y", ys);
            MacroTask<Integer> macro = MacroTask.of(ITEMS)
                    .updates(i -> item(y, i))
                    .kernel(Kernel.named("kernel")
                            .onDevice(ExecutionTarget.OPENCL, work -> {})
                            .onHost(arguments -> arguments.memory(0).setDouble(0, -1)));
            assertEquals(
                    Map.of("host", ITEMS, DEVICE, 0),
                    macro.submit(session, session.graph().task("basis").updates(y))
                            .join()
                            .places());
            MacroTask.Submitted none = macro.where(Where.DEVICES)
                    .submit(session, session.graph().task("devices").updates(y));
            assertMentions(
                    Objects.requireNonNull(
                            assertThrows(TaskFailedException.class, none::join).getCause()),
                    "has no room",
                    "fewer streams");
        }
    }

    @Test
    void mistakesAreRefused() {
        try (Session session = open(EmulatedDevice.offer(DEVICE))) {
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> MacroTask.of(ITEMS)
                                    .kernel(launching(false, launch -> {}))
                                    .pipeline("batched")
                                    .submit(session, session.graph().task("basis"))),
                    "\"basis\"",
                    "\"launching\"",
                    "batchable");
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> PipelineDriver.named("opencl")),
                    "\"opencl\"",
                    "batched");
            assertThrows(IllegalArgumentException.class, () -> PipelineDriver.streams(0));
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> MacroTask.of(1)
                                    .kernel(AXPY) // without its number and data
                                    .where(Where.DEVICES)
                                    .submit(session, session.graph().task("axpy"))),
                    "axpy");
        }
    }
}
