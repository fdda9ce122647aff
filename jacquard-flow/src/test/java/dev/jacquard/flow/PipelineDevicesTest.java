package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.PipelineBalance;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pipelines over emulated devices: where kernels run and data is, limits, and the balance of the copies. */
@Timeout(180)
class PipelineDevicesTest {
    private static final int ELEMENTS = 64;
    private static final long BYTES = ELEMENTS * 8L;
    private static final int POOL = 3;
    private static final int ITEMS = 40;

    private static final Kernel TRIPLE = kernel(() -> {});

    private static final Kernel ZERO = Kernel.named("zero")
            .parameters("x")
            .onDevice(
                    ExecutionTarget.EMULATED,
                    new EmulatedBody("zero", launch -> launch.memory(0).fill((byte) 0)));

    /** The phases of bodies, as "copy number of copies on device". */
    private final Set<String> bound = new ConcurrentSkipListSet<>();

    /** A number, in data. */
    record Cell(int item, Handle<Data> data) {}

    /** The part of a kernel before its work. */
    private interface Before {
        void run() throws Exception;
    }

    private static Kernel kernel(Before before) {
        return Kernel.named("triple")
                .parameters("x")
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("triple", launch -> {
                    before.run();
                    MemorySegment cells = launch.memory(0);
                    for (long i = 0; i < ELEMENTS; i++) {
                        cells.setAtIndex(ValueLayout.JAVA_DOUBLE, i, 3 * cells.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
                    }
                }));
    }

    /** Fills data with the number of the item. */
    private final class Fill implements Body<Integer, Cell> {
        private final MemoryEdge<Data> edge;

        Fill(MemoryEdge<Data> edge) {
            this.edge = edge;
        }

        @Override
        public void initialize(CopyInfo copy) {
            bound.add(copy.task() + ": " + copy.pipeline() + " of " + copy.pipelines() + " on " + copy.device());
        }

        @Override
        public void execute(Integer item, Emitter<Cell> out) {
            Handle<Data> lent = out.take(edge);
            out.graph().task("fill").writes(lent.value()).run(ctx -> {
                MemorySegment cells = ctx.memory(lent.value()).segment();
                for (long i = 0; i < ELEMENTS; i++) {
                    cells.setAtIndex(ValueLayout.JAVA_DOUBLE, i, item);
                }
            });
            out.emit(new Cell(item, lent));
        }
    }

    private static void triple(Kernel kernel, Cell cell, Emitter<Cell> out) {
        out.graph().task("triple").updates(cell.data().value()).run(kernel);
        out.emitWhenDone(cell);
    }

    /** Reads the number and releases the data. */
    private static void read(Cell cell, Emitter<Integer> out) {
        Data data = cell.data().value();
        double[] read = new double[1];
        out.graph()
                .task("read")
                .reads(data)
                .run(ctx -> read[0] = ctx.memory(data).segment().getAtIndex(ValueLayout.JAVA_DOUBLE, ELEMENTS - 1));
        out.whenDone(then -> {
            then.release(cell.data());
            then.emit((int) read[0]);
        });
    }

    /** Fills, triples and reads; or, with {@code open}, leaves the last step to the graph around it. */
    private FlowGraph<Integer, Cell> open(Kernel kernel) {
        return FlowGraph.build("open", g -> {
            MemoryEdge<Data> cells = g.memory("cells", POOL, Layout.of(DataType.FLOAT64, ELEMENTS));
            cells.releasedOutside();
            FlowTask<Integer, Cell> fill =
                    g.task("fill", 1, () -> new Fill(cells)).takes(cells);
            FlowTask<Cell, Cell> triple = g.task("triple", 1, () -> (cell, out) -> triple(kernel, cell, out));
            g.input().to(fill).to(triple).to(g.output());
        });
    }

    private FlowGraph<Integer, Integer> closed(Kernel kernel) {
        FlowGraph<Integer, Cell> open = open(kernel);
        return FlowGraph.build("closed", g -> {
            FlowTask<Cell, Integer> read = g.task("read", 1, () -> PipelineDevicesTest::read);
            g.input().to(g.graph("on device", open)).to(read).to(g.output());
        });
    }

    private static FlowGraph<Integer, Integer> over(FlowGraph<Integer, Integer> inner, ExecutionTarget... devices) {
        return FlowGraph.build(
                "outer", g -> g.input().to(g.pipeline("pipe", inner, devices)).to(g.output()));
    }

    private static Session session(int devices, long bytes) {
        SessionBuilder builder = Session.builder().workers(2);
        for (int i = 0; i < devices; i++) {
            builder.device(EmulatedDevice.offer("emulated" + i), bytes);
        }
        return builder.open();
    }

    private static FlowProfile run(Session session, FlowGraph<Integer, Integer> graph) {
        try (FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(FlowTest.numbers(ITEMS));
            run.finish();
            Set<Integer> results = new TreeSet<>();
            run.forEach(results::add);
            Set<Integer> expected = new TreeSet<>();
            FlowTest.numbers(ITEMS).forEach(n -> expected.add(3 * n));
            assertEquals(expected, results);
            RandomFlow.checkNothingIsLost(run);
            return run.profile();
        }
    }

    private static Transfers.Used used(Session session, String space) {
        return session.data().transfers().spaces().stream()
                .filter(one -> one.space().equals(space))
                .findFirst()
                .orElseThrow();
    }

    // ---- what is inherited

    @Test
    void eachDeviceGetsACopyWithItsKernelsAndItsData() {
        for (int devices : new int[] {1, 2, 4}) {
            bound.clear();
            try (Session session = session(devices, POOL * BYTES)) {
                FlowGraph<Integer, Integer> graph = over(closed(TRIPLE), ExecutionTarget.EMULATED);
                assertTrue(graph.check().isFine(), () -> graph.check().toString());
                assertTrue(
                        graph.check(session).isFine(),
                        () -> graph.check(session).toString());
                FlowProfile profile = run(session, graph);
                Set<String> expected = new TreeSet<>();
                for (int i = 0; i < devices; i++) {
                    expected.add("pipe#" + i + "/on device/fill: " + i + " of " + devices + " on emulated" + i);
                    assertTrue(used(session, "emulated" + i).peak() > 0);
                    assertEquals(0, used(session, "emulated" + i).evictions(), "the pool fits");
                }
                assertEquals(expected, bound);
                assertEquals(devices, profile.memories().size());
                for (FlowProfile.Memory memory : profile.memories()) {
                    assertEquals(0, memory.live());
                    assertEquals(ITEMS / devices, memory.taken());
                }
            }
        }
    }

    @Test
    void devicesWorkAtTheSameTime() {
        for (int devices : new int[] {2, 4}) {
            CyclicBarrier all = new CyclicBarrier(devices);
            try (Session session = session(devices, 1 << 20)) {
                run(session, over(closed(kernel(all::await)), ExecutionTarget.EMULATED)); // none gets ahead of another
            }
        }
    }

    @Test
    void aTaskInsideMayHaveOtherDevices() {
        Set<String> seen = new ConcurrentSkipListSet<>();
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            Body<Integer, Integer> body = new Body<>() {
                @Override
                public void initialize(CopyInfo copy) {
                    seen.add(copy.task() + " on " + copy.device());
                }

                @Override
                public void execute(Integer item, Emitter<Integer> out) {
                    out.emit(3 * item);
                }
            };
            g.input()
                    .to(g.task("bound", 1, () -> body).on(ExecutionTarget.named("emulated1")))
                    .to(g.output());
        });
        try (Session session = session(2, 1 << 20)) {
            run(session, over(inner, ExecutionTarget.EMULATED));
        }
        assertEquals(Set.of("pipe#0/bound on emulated1", "pipe#1/bound on emulated1"), seen);
    }

    @Test
    void aDeviceThatIsNamedTwiceGetsTwoCopies() {
        ExecutionTarget one = ExecutionTarget.named("emulated0");
        try (Session session = session(2, 1 << 20)) {
            FlowProfile profile = run(session, over(closed(TRIPLE), one, ExecutionTarget.EMULATED, one));
            assertEquals(
                    List.of("emulated0", "emulated0", "emulated1", "emulated0"),
                    profile.pipelines().getFirst().copies().stream()
                            .map(PipelineBalance.Copy::device)
                            .toList());
        }
    }

    // ---- bad input

    @Test
    void aDeviceThatTheSessionLacksIsNamed() {
        FlowGraph<Integer, Integer> graph = over(closed(TRIPLE), ExecutionTarget.CUDA);
        assertTrue(graph.check().isFine(), "only a session knows");
        try (Session session = session(1, 1 << 20)) {
            String problem = "pipeline \"pipe\" is for device cuda, and the session has none; its targets are"
                    + " [host, emulated0]: name one of these, or add the device with Session.builder().device(...)";
            assertEquals(List.of(problem), graph.check(session).problems());
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> graph.start(session));
            assertTrue(String.valueOf(refused.getMessage()).contains(problem), refused::toString);
        }
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> graph.start(new SeededWorkers(1)));
        assertTrue(String.valueOf(refused.getMessage()).contains("start it with a session"), refused::toString);
    }

    @Test
    void poolsThatDoNotFitOnTheirDeviceAreRefusedAtTheStart() {
        FlowGraph<Integer, Integer> graph = over(closed(TRIPLE), ExecutionTarget.EMULATED);
        try (Session session = session(2, POOL * BYTES - 1)) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> graph.start(session));
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .contains("memory edges of pipelines hold 1536 bytes on device \"emulated1\", and its limit"
                                    + " is 1535: make them smaller, or raise the limit with"
                                    + " Session.builder().device(offer, bytes): \"pipe#1/on device/cells\" 3 x 512"
                                    + " bytes"),
                    refused::toString);
            assertEquals(2, graph.check(session).problems().size());
            assertTrue(graph.check().isFine());
            assertEquals(0, used(session, "emulated0").peak(), "nothing was allocated");
        }
    }

    // ---- buffers that leave their copy

    @Test
    void aBufferThatIsReleasedAnywhereReturnsToItsOwner() {
        FlowGraph<Integer, Cell> inner = FlowGraph.build("inner", g -> {
            MemoryEdge<Data> cells = g.memory("cells", 1, Layout.of(DataType.FLOAT64, ELEMENTS));
            SiblingEdge<Cell> across = g.siblings("across");
            // Copy 0 takes; a third of the buffers is released by copy 1, a third by a task outside, and a third by the
            // thread that reads the results.
            FlowTask<Integer, Cell> take = g.<Integer, Cell>task("take", 1, () -> (item, out) -> {
                        Handle<Data> lent = out.take(cells);
                        Cell cell = new Cell(item, lent);
                        if (item % 3 == 0) {
                            out.send(across, 1, cell);
                        } else {
                            out.emit(cell);
                        }
                    })
                    .takes(cells)
                    .sends(across);
            FlowTask<Cell, Cell> release = g.<Cell, Cell>task("release", 1, () -> (cell, out) -> {
                        out.release(cell.data());
                        out.emit(cell);
                    })
                    .releases(cells);
            across.to(release).to(g.output());
            g.input().to(take).to(g.output());
        });
        FlowGraph<Integer, Cell> graph = FlowGraph.build("outer", g -> {
            FlowTask<Cell, Cell> release = g.task("release", 1, () -> (cell, out) -> {
                if (cell.item() % 3 == 1) {
                    out.release(cell.data());
                }
                out.emit(cell);
            });
            g.input()
                    .to(g.pipeline("pipe", inner, ExecutionTarget.EMULATED).distribute((item, loads) -> 0))
                    .to(release)
                    .to(g.output());
        });
        try (Session session = session(2, 1 << 20);
                FlowRun<Integer, Cell> run = graph.start(session)) {
            run.sendAll(FlowTest.numbers(ITEMS));
            run.finish();
            List<Integer> results = new ArrayList<>();
            for (Cell cell : run) {
                if (cell.item() % 3 == 2) {
                    run.release(cell.data());
                }
                results.add(cell.item());
            }
            results.sort(null);
            assertEquals(FlowTest.numbers(ITEMS), results);
            List<FlowProfile.Memory> memories = run.profile().memories();
            assertEquals(
                    List.of("pipe#0/cells", "pipe#1/cells"),
                    memories.stream().map(FlowProfile.Memory::name).toList());
            assertEquals(ITEMS, memories.getFirst().taken(), "the one buffer of copy 0 came back each time");
            assertEquals(1, memories.getFirst().peak());
            assertEquals(0, memories.getFirst().live());
            assertEquals(0, memories.getLast().taken());
        }
    }

    @Test
    void aSiblingGetsDataOfAnotherDeviceByAPeerCopy() {
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            MemoryEdge<Data> cells = g.memory("cells", 1, Layout.of(DataType.FLOAT64, ELEMENTS));
            SiblingEdge<Cell> across = g.siblings("across");
            FlowTask<Integer, Void> take = g.<Integer, Void>task("take", 1, () -> (item, out) -> {
                        Handle<Data> lent = out.take(cells);
                        out.graph().task("zero").writes(lent.value()).run(ZERO); // on the device of this copy
                        out.graph().task("triple").updates(lent.value()).run(TRIPLE);
                        out.send(across, 1, new Cell(item, lent));
                    })
                    .types(Integer.class, Void.class)
                    .takes(cells)
                    .sends(across);
            FlowTask<Cell, Cell> triple = g.task("more", 1, () -> (cell, out) -> triple(TRIPLE, cell, out));
            FlowTask<Cell, Integer> read = g.<Cell, Integer>task("read", 1, () -> PipelineDevicesTest::read)
                    .releases(cells);
            g.input().to(take);
            across.to(triple).to(read).to(g.output());
        });
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "outer",
                g -> g.input()
                        .to(g.pipeline("pipe", inner, ExecutionTarget.EMULATED).distribute((item, loads) -> 0))
                        .to(g.output()));
        graph.check().orThrow();
        try (Session session = session(2, 1 << 20);
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            run.finish();
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            assertEquals(List.of(0), results);
            List<String> links = session.data().transfers().links().stream()
                    .map(link -> link.from() + " to " + link.to())
                    .toList();
            assertTrue(links.contains("emulated0 to emulated1"), links::toString);
            assertFalse(links.contains("emulated0 to host"), links::toString);
        }
    }

    // ---- balance, failures

    @Test
    void theBalanceHasItemsBusyTimesAndBytesPerCopy() {
        try (Session session = session(2, 1 << 20)) {
            FlowGraph<Integer, Integer> inner = closed(TRIPLE);
            FlowGraph<Integer, Integer> graph = FlowGraph.build(
                    "outer",
                    g -> g.input()
                            .to(g.pipeline("pipe", inner, ExecutionTarget.EMULATED)
                                    .distribute(Distribution.blocks(ITEMS * 3 / 4)))
                            .to(g.output()));
            FlowProfile profile = run(session, graph);
            PipelineBalance balance = profile.pipelines().getFirst();
            assertEquals("pipe", balance.name());
            PipelineBalance.Copy most = balance.copies().getFirst();
            PipelineBalance.Copy least = balance.copies().getLast();
            assertEquals(ITEMS * 3 / 4, most.items());
            assertEquals(ITEMS / 4, least.items());
            assertEquals(most.items() * BYTES, most.lentBytes());
            assertTrue(most.peakBytes() > 0 && most.peakBytes() <= POOL * BYTES);
            assertTrue(most.runningNanos() > 0 && most.runningNanos() <= profile.elapsedNanos());
            assertTrue(most.computeNanos() > 0);
            assertEquals(most.runningNanos(), most.busyNanos());
            assertTrue(balance.balance() > 0 && balance.balance() <= 1);
            String text = balance.toString();
            assertTrue(text.startsWith("pipeline \"pipe\", 2 copies, the least busy one "), text);
            assertTrue(text.contains("copy 0 on emulated0: 30 items, busy "), text);
            assertTrue(text.contains("copy 1 on emulated1: 10 items, busy "), text);
            assertTrue(text.contains(", 5120 bytes lent, at most "), text);
        }
    }

    @Test
    void aKernelThatFailsOnOneDeviceEndsTheRun() {
        ConcurrentLinkedQueue<Integer> launches = new ConcurrentLinkedQueue<>();
        Kernel failing = kernel(() -> {
            launches.add(1);
            if (launches.size() == 7) {
                throw new IllegalStateException("the seventh");
            }
        });
        try (Session session = session(2, 1 << 20);
                FlowRun<Integer, Integer> run =
                        over(closed(failing), ExecutionTarget.EMULATED).start(session)) {
            run.sendAll(FlowTest.numbers(ITEMS));
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, () -> run.forEach(item -> {}));
            assertTrue(failed.task().startsWith("pipe#"), failed::toString);
            assertFalse(failed.task().contains("fill"), failed::toString);
        }
    }

    @Test
    void aCancelEndsTheKernelsOfAllCopiesAndReturnsTheMemory() {
        for (int fetched = 0; fetched < 10; fetched++) {
            try (Session session = session(2, 1 << 20)) {
                try (FlowRun<Integer, Integer> run =
                        over(closed(TRIPLE), ExecutionTarget.EMULATED).start(session)) {
                    run.sendAll(FlowTest.numbers(ITEMS));
                    var results = run.iterator();
                    for (int i = 0; i < fetched; i++) {
                        results.next();
                    }
                }
                Watchdog.until(
                        () -> used(session, "emulated0").bytes() == 0
                                && used(session, "emulated1").bytes() == 0,
                        "the last copies, behind which memory goes back");
            }
        }
    }
}
