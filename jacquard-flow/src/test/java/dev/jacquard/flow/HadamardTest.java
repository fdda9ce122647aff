package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The product of two matrices, element by element, in blocks that stream through devices within a bound. */
@Timeout(180)
class HadamardTest {
    private static final int SIZE = 16;
    private static final int ELEMENTS = SIZE * SIZE;
    private static final int BLOCKS = 60;
    private static final int POOL = 6;
    private static final long BYTES = ELEMENTS * 8L;

    /** {@code c = a b}, element by element. */
    private static final Kernel MULTIPLY = Kernel.named("multiply")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("multiply", HadamardTest::multiply));

    private static void multiply(EmulatedBody.Launch launch) {
        MemorySegment a = launch.memory(0);
        MemorySegment b = launch.memory(1);
        MemorySegment c = launch.memory(2);
        for (long i = 0; i < ELEMENTS; i++) {
            c.setAtIndex(
                    ValueLayout.JAVA_DOUBLE,
                    i,
                    a.getAtIndex(ValueLayout.JAVA_DOUBLE, i) * b.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
        }
    }

    /** Two blocks that belong together. */
    private record Pair(int number, Handle<Data> a, Handle<Data> b) {}

    /** Their product. */
    private record Product(int number, Handle<Data> c) {}

    private final double[] a = random(1);
    private final double[] b = random(2);
    private final double[] c = new double[BLOCKS * ELEMENTS];
    private final Set<String> bound = new ConcurrentSkipListSet<>();

    private static double[] random(long seed) {
        return new Random(seed).doubles((long) BLOCKS * ELEMENTS).toArray();
    }

    private double[] expected() {
        double[] product = new double[a.length];
        Arrays.setAll(product, i -> a[i] * b[i]);
        return product;
    }

    /** Reads blocks, as from a file. */
    private final class Read implements Body<Integer, Pair> {
        private final MemoryEdge<Data> blocks;

        Read(MemoryEdge<Data> blocks) {
            this.blocks = blocks;
        }

        @Override
        public void execute(Integer number, Emitter<Pair> out) {
            Pair pair = new Pair(number, out.take(blocks), out.take(blocks));
            read(a, number, pair.a().value(), out);
            read(b, number, pair.b().value(), out);
            out.emit(pair); // not when done: who accesses the blocks comes after
        }

        private static void read(double[] file, int number, Data into, Emitter<?> out) {
            out.graph().task("read").writes(into).run(ctx -> {
                MemorySegment.copy(
                        file, number * ELEMENTS, ctx.memory(into).segment(), ValueLayout.JAVA_DOUBLE, 0, ELEMENTS);
            });
        }
    }

    /** Multiplies on the device that its copy is bound to. */
    private final class Multiply implements Body<Pair, Product> {
        private final MemoryEdge<Data> products;
        private final Kernel kernel;

        Multiply(MemoryEdge<Data> products, Kernel kernel) {
            this.products = products;
            this.kernel = kernel;
        }

        @Override
        public void initialize(CopyInfo copy) {
            bound.add(String.valueOf(copy.device()));
        }

        @Override
        public void execute(Pair pair, Emitter<Product> out) {
            Handle<Data> product = out.take(products);
            out.graph()
                    .task("multiply")
                    .reads(pair.a().value())
                    .reads(pair.b().value())
                    .writes(product.value())
                    .run(kernel);
            out.whenDone(then -> {
                then.release(pair.a());
                then.release(pair.b());
                then.emit(new Product(pair.number(), product));
            });
        }
    }

    private void store(Product product, Emitter<Integer> out) {
        Data data = product.c().value();
        out.graph().task("store").reads(data).run(ctx -> {
            Memory memory = ctx.memory(data);
            MemorySegment.copy(memory.segment(), ValueLayout.JAVA_DOUBLE, 0, c, product.number() * ELEMENTS, ELEMENTS);
        });
        out.whenDone(then -> {
            then.release(product.c());
            then.emit(product.number());
        });
    }

    private FlowGraph<Integer, Integer> graph(int copies, ExecutionTarget... devices) {
        return graph(copies, MULTIPLY, 32, devices);
    }

    private FlowGraph<Integer, Integer> graph(int copies, Kernel kernel, int inFlight, ExecutionTarget... devices) {
        Layout block = Layout.of(DataType.FLOAT64, SIZE, SIZE);
        return FlowGraph.build("hadamard", g -> {
            MemoryEdge<Data> blocks = g.memory("blocks", 2 * POOL, block);
            MemoryEdge<Data> products = g.memory("products", POOL, block);
            FlowTask<Integer, Pair> read =
                    g.task("read", 2, () -> new Read(blocks)).takes(blocks, 2);
            FlowTask<Pair, Product> multiply = g.task("multiply", copies, () -> new Multiply(products, kernel))
                    .on(devices)
                    .inFlight(inFlight)
                    .takes(products)
                    .releases(blocks);
            FlowTask<Product, Integer> store =
                    g.<Product, Integer>task("store", 1, () -> this::store).releases(products);
            g.input().to(read).to(multiply).to(store).to(g.output());
        });
    }

    private FlowProfile run(Session session, FlowGraph<Integer, Integer> graph) {
        graph.check().orThrow();
        try (FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(FlowTest.numbers(BLOCKS));
            run.finish();
            Set<Integer> stored = new TreeSet<>();
            run.forEach(stored::add);
            assertEquals(BLOCKS, stored.size());
            return run.profile();
        }
    }

    private static Session session(int workers, long deviceBytes, EmulatedOffer... devices) {
        SessionBuilder builder = Session.builder().workers(workers);
        for (EmulatedOffer device : devices) {
            builder.device(device, deviceBytes);
        }
        return builder.open();
    }

    private static EmulatedOffer[] devices(int count) {
        EmulatedOffer[] offers = new EmulatedOffer[count];
        Arrays.setAll(offers, i -> EmulatedDevice.offer("emulated" + i));
        return offers;
    }

    private static Transfers.Used used(Session session, String space) {
        return session.data().transfers().spaces().stream()
                .filter(one -> one.space().equals(space))
                .findFirst()
                .orElseThrow();
    }

    /** Data is freed when a run is closed; what a copy uses goes back behind that. */
    private static void awaitGivenBack(Session session, String space) {
        Watchdog.until(() -> used(session, space).bytes() == 0, "the last copies, behind which memory goes back");
    }

    @Test
    void theProductIsThatOfALoopWithinTheBound() {
        for (int workers = 1; workers <= 3; workers++) {
            for (int devices = 1; devices <= 3; devices++) {
                Arrays.fill(c, 0);
                bound.clear();
                try (Session session = session(workers, 1L << 20, devices(devices))) {
                    FlowProfile profile = run(session, graph(devices, ExecutionTarget.EMULATED));
                    assertArrayEquals(expected(), c);
                    assertEquals(devices, bound.size());
                    for (FlowProfile.Memory memory : profile.memories()) {
                        assertTrue(memory.peak() <= memory.size(), memory::toString);
                        assertEquals(0, memory.live());
                    }
                    for (int device = 0; device < devices; device++) {
                        long peak = used(session, "emulated" + device).peak();
                        assertTrue(peak <= 3 * POOL * BYTES, "at most the pools: " + peak);
                        awaitGivenBack(session, "emulated" + device);
                    }
                    awaitGivenBack(session, "host");
                }
            }
        }
    }

    @Test
    void devicesWorkAtTheSameTime() {
        CyclicBarrier both = new CyclicBarrier(2);
        Kernel together = Kernel.named("together")
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("together", launch -> {
                    both.await(); // no device gets further than the other
                    multiply(launch);
                }));
        try (Session session = session(1, 1L << 20, devices(2))) {
            FlowProfile profile = run(session, graph(2, together, 1, ExecutionTarget.EMULATED));
            assertArrayEquals(expected(), c);
            assertEquals(BLOCKS, task(profile, "multiply").itemsIn());
        }
    }

    @Test
    void itRunsWithRoomForOneProductOnTheDevice() {
        try (Session session = session(2, 3 * BYTES, devices(1))) {
            run(session, graph(1, ExecutionTarget.named("emulated0")));
            assertArrayEquals(expected(), c);
            assertTrue(used(session, "emulated0").peak() <= 3 * BYTES);
            assertTrue(used(session, "emulated0").evictions() > 0);
        }
    }

    @Test
    void theProfileTellsCopiesFromKernels() {
        try (Session session = session(1, 1L << 20, devices(2))) {
            FlowProfile profile = run(session, graph(2, ExecutionTarget.EMULATED));
            FlowProfile.Task multiply = task(profile, "multiply");
            assertEquals(List.of("emulated0", "emulated1"), multiply.devices());
            assertTrue(multiply.stagingNanos() > 0);
            assertTrue(multiply.runningNanos() > 0);
            assertTrue(multiply.runningNanos() <= profile.elapsedNanos(), "what overlaps counts once");
            assertEquals(List.of(), task(profile, "read").devices());
            assertTrue(task(profile, "read").runningNanos() > 0);
            assertTrue(profile.toSvg().contains("on 2 devices"), profile::toSvg);
            assertTrue(profile.toDot().contains("running on emulated0, emulated1"), profile::toDot);
        }
    }

    private static FlowProfile.Task task(FlowProfile profile, String name) {
        return profile.tasks().stream()
                .filter(task -> task.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aLostDeviceFailsTheRunWhichSaysSoAndReturnsItsBuffers() {
        EmulatedOffer offer = EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(FaultPlan.Kind.LOSS, 40));
        try (Session session = session(2, 1L << 20, offer)) {
            FlowGraph<Integer, Integer> graph = graph(1, ExecutionTarget.EMULATED);
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                run.sendAll(FlowTest.numbers(BLOCKS));
                run.finish();
                FlowFailedException failed = assertThrows(FlowFailedException.class, () -> run.forEach(number -> {}));
                assertTrue(failed.toString().contains("lost"), failed.toString()); // the device, or what only it had
                TaskFailedException task = assertInstanceOf(TaskFailedException.class, failed.getCause());
                assertNotNull(task.getMessage());
            }
            awaitGivenBack(session, "host");
        }
    }

    @Test
    void aFailedKernelNamesTaskAndItem() {
        EmulatedOffer offer = EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(FaultPlan.Kind.LAUNCH, 7));
        try (Session session = session(2, 1L << 20, offer);
                FlowRun<Integer, Integer> run =
                        graph(1, ExecutionTarget.EMULATED).start(session)) {
            run.sendAll(FlowTest.numbers(BLOCKS));
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, () -> run.forEach(number -> {}));
            assertEquals("multiply", failed.task());
            assertTrue(String.valueOf(failed.item()).startsWith("Pair[number="), failed.toString());
        }
    }

    @Test
    void cancelledEarlyItWaitsForWhatItHasSubmittedAndGivesAllBack() {
        for (int fetched = 0; fetched < 20; fetched++) {
            try (Session session = session(2, 1L << 20, devices(2))) {
                try (FlowRun<Integer, Integer> run =
                        graph(2, ExecutionTarget.EMULATED).start(session)) {
                    run.sendAll(FlowTest.numbers(BLOCKS));
                    var results = run.iterator();
                    for (int i = 0; i < fetched; i++) {
                        results.next();
                    }
                }
                awaitGivenBack(session, "host");
                awaitGivenBack(session, "emulated0");
                session.graph().task("after").run(ctx -> {});
                session.graph().await();
            }
        }
    }

    @Test
    void aDeviceThatTheSessionDoesNotHaveIsNamedAtTheStart() {
        try (Session session = session(1, 1L << 20, devices(2))) {
            IllegalArgumentException missing = assertThrows(
                    IllegalArgumentException.class,
                    () -> graph(1, ExecutionTarget.CUDA).start(session));
            assertEquals(
                    "task \"multiply\" of flow \"hadamard\" is for device cuda, and the session has none; its targets are "
                            + "[host, emulated0, emulated1]: name one of these, or add the device with "
                            + "Session.builder().device(...)",
                    missing.getMessage());
        }
    }

    @Test
    void workersWithoutASessionAreRefused() {
        IllegalStateException refused = assertThrows(
                IllegalStateException.class,
                () -> graph(1, ExecutionTarget.EMULATED).start(new SeededWorkers(1)));
        assertTrue(String.valueOf(refused.getMessage()).contains("must be started with a session"));
        assertTrue(bound.isEmpty());
    }
}
