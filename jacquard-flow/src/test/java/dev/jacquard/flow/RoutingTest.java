package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Items that are routed to the host and to emulated devices by measured time. */
@Timeout(180)
class RoutingTest {
    private static final long FAST_NANOS = 1_000_000;
    private static final long SLOW_NANOS = 5 * FAST_NANOS;
    private static final int ITEMS = 120;
    private static final String DEVICE = "emulated0";
    private static final String HOST = "host";

    /** The time of the sessions: it passes where a body says so. */
    private final AtomicLong time = new AtomicLong();
    /** The items that each target has executed. */
    private final Map<String, AtomicInteger> executed = new ConcurrentHashMap<>();

    private Session session(int workers, boolean realTime) {
        var builder = Session.builder().workers(workers).device(EmulatedDevice.offer(DEVICE), 1L << 20);
        return (realTime ? builder : builder.clock(time::get)).open();
    }

    private int count(String target) {
        AtomicInteger known = executed.get(target);
        return known == null ? 0 : known.get();
    }

    /** A body of one copy, which knows its target. */
    private interface Work {
        void on(String target, Integer item) throws Exception;
    }

    private final class Working implements Body<Integer, Integer> {
        private final Work work;
        private String target = "";

        Working(Work work) {
            this.work = work;
        }

        @Override
        public void initialize(CopyInfo copy) {
            target = String.valueOf(copy.device());
        }

        @Override
        public void execute(Integer item, Emitter<Integer> out) throws Exception {
            executed.computeIfAbsent(target, any -> new AtomicInteger()).incrementAndGet();
            work.on(target, item);
            out.emit(item);
        }
    }

    private FlowGraph<Integer, Integer> graph(Work work, @Nullable ToLongFunction<Integer> sizes) {
        return FlowGraph.build("routed", g -> {
            FlowTask<Integer, Integer> task =
                    g.task("work", 2, () -> new Working(work)).on(ExecutionTarget.EMULATED, ExecutionTarget.HOST);
            g.input()
                    .to(sizes == null ? task.byMeasuredTime() : task.byMeasuredTime(sizes))
                    .to(g.output());
        });
    }

    /** The device is fast. */
    private void pass(String target, Integer item) {
        time.addAndGet(target.equals(DEVICE) ? FAST_NANOS : SLOW_NANOS);
    }

    private static List<Integer> results(FlowRun<Integer, Integer> run) {
        List<Integer> results = new ArrayList<>();
        run.forEach(results::add);
        results.sort(null);
        return results;
    }

    // ---- who gets items

    @Test
    void itemsThatWaitAreSharedAndTheProfileSaysHow() {
        try (Session session = session(1, false);
                FlowRun<Integer, Integer> run = graph(this::pass, null).start(session)) {
            run.sendAll(FlowTest.numbers(ITEMS));
            run.finish();
            assertEquals(FlowTest.numbers(ITEMS), results(run));
            RandomFlow.checkNothingIsLost(run);
            assertEquals(ITEMS, count(DEVICE) + count(HOST));
            assertTrue(count(HOST) >= 1 && count(DEVICE) >= 1, executed::toString);
            FlowProfile profile = run.profile();
            Map<String, Long> times = new TreeMap<>();
            profile.tasks().getFirst().copies().forEach(copy -> times.put(copy.device(), copy.itemNanos()));
            assertEquals(Map.of(DEVICE, FAST_NANOS, HOST, SLOW_NANOS), times);
            assertTrue(profile.toText().contains("5.0 ms per item"), profile.toText());
            assertTrue(profile.toSvg().contains("5.0 ms per item"), profile.toSvg());
            assertEquals(profile, FlowProfile.ofJson(profile.toJson()));
        }
    }

    @Test
    void itemsThatComeOneByOneGoToTheFastTargetInALaterRunToo() {
        try (Session session = session(1, false)) {
            for (int i = 0; i < 2; i++) {
                executed.clear();
                try (FlowRun<Integer, Integer> run = graph(this::pass, null).start(session)) {
                    for (int item = 0; item < ITEMS; item++) {
                        run.send(item);
                        run.iterator().next();
                    }
                }
                assertEquals(i == 0 ? 2 : 0, count(HOST), "tries, which the session remembers");
            }
        }
    }

    @Test
    void targetsAreLearnedForEachSize() {
        Work work = (target, item) ->
                time.addAndGet(target.equals(DEVICE) == (item >= 1_000) ? FAST_NANOS : 10 * FAST_NANOS);
        Map<Boolean, Integer> wrong = new ConcurrentHashMap<>();
        try (Session session = session(1, false);
                FlowRun<Integer, Integer> run = graph(
                                (target, item) -> {
                                    work.on(target, item);
                                    if (target.equals(DEVICE) != (item >= 1_000)) {
                                        wrong.merge(item >= 1_000, 1, Integer::sum);
                                    }
                                },
                                item -> item)
                        .start(session)) {
            for (int i = 0; i < ITEMS; i++) {
                run.send(i % 2 == 0 ? 10 : 1_000);
                run.iterator().next();
            }
        }
        assertEquals(Map.of(true, 2, false, 2), wrong);
    }

    @Test
    void anIdleSlowCopyLeavesTheItemToTheBusyFastCopy() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        try (Session session = session(2, false);
                FlowRun<Integer, Integer> run = graph(
                                (target, item) -> {
                                    if (item == -1) {
                                        begun.countDown();
                                        Watchdog.await(goesOn, "items wait");
                                    }
                                    pass(target, item);
                                },
                                null)
                        .start(session)) {
            for (int item = 0; item < 10; item++) {
                run.send(item);
                run.iterator().next();
            }
            assertEquals(2, count(HOST));
            run.send(-1);
            Watchdog.await(begun, "the item begins");
            run.sendAll(List.of(20, 21, 22)); // each ends on the device within 4 ms, and on the host after 5
            goesOn.countDown();
            run.finish();
            assertEquals(List.of(-1, 20, 21, 22), results(run));
            assertEquals(2, count(HOST));
            assertEquals(12, count(DEVICE));
        }
    }

    @Test
    void aCopyThatIsStuckLosesItsItems() {
        CountDownLatch goesOn = new CountDownLatch(1);
        try (Session session = session(2, true);
                FlowRun<Integer, Integer> run = graph(
                                (target, item) -> {
                                    if (target.equals(HOST)) {
                                        spin(SLOW_NANOS); // so that only a look after a while takes the item
                                    }
                                    if (item == -1) {
                                        Watchdog.await(goesOn, "another copy takes the next item");
                                    } else if (item == -2) {
                                        goesOn.countDown();
                                    }
                                },
                                null)
                        .start(session)) {
            for (int item = 0; item < 10; item++) {
                run.send(item);
                run.iterator().next();
            }
            run.sendAll(List.of(-1, -2));
            run.finish();
            assertEquals(List.of(-2, -1), results(run));
        }
    }

    private static void spin(long nanos) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < nanos) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aBodyThatWaitsForABufferDoesNotHoldUpTheOthers() {
        try (Session session = session(2, true)) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("waits", g -> {
                MemoryEdge<int[]> one = g.memory("one", 1, () -> new int[1]);
                FlowTask<Integer, Handle<int[]>> take = g.<Integer, Handle<int[]>>task(
                                "take", 2, () -> (item, out) -> out.emit(out.take(one)))
                        .dedicated()
                        .on(ExecutionTarget.EMULATED, ExecutionTarget.HOST)
                        .byMeasuredTime();
                FlowTask<Handle<int[]>, Integer> release = g.task("release", 1, () -> (buffer, out) -> {
                    out.release(buffer);
                    out.emit(1);
                });
                g.input().to(take).to(release.releases(one)).to(g.output());
            });
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                run.sendAll(FlowTest.numbers(ITEMS));
                run.finish();
                assertEquals(ITEMS, results(run).size());
            }
        }
    }

    // ---- kernels, and devices that are lost

    private Kernel triple() {
        return Kernel.named("triple")
                .parameters("x")
                .onHost(arguments -> triple(HOST, arguments.memory("x").segment()))
                .onDevice(
                        ExecutionTarget.EMULATED,
                        new EmulatedBody("triple", launch -> triple(DEVICE, launch.memory(0))));
    }

    private void triple(String target, MemorySegment cell) {
        executed.computeIfAbsent(target, any -> new AtomicInteger()).incrementAndGet();
        cell.set(ValueLayout.JAVA_INT, 0, 3 * cell.get(ValueLayout.JAVA_INT, 0));
    }

    /** Triples numbers by a kernel, on both targets. */
    private FlowGraph<Integer, Integer> kernels() {
        Kernel kernel = triple();
        return FlowGraph.build("kernels", g -> {
            MemoryEdge<Data> cells = g.memory("cells", 8, Layout.of(DataType.INT32, 1));
            FlowTask<Integer, Integer> task = g.<Integer, Integer>task("triple", 2, () -> (item, out) -> {
                        Handle<Data> lent = out.take(cells);
                        Data data = lent.value();
                        int[] read = new int[1];
                        out.graph()
                                .task("set")
                                .writes(data)
                                .run(ctx -> ctx.memory(data).segment().set(ValueLayout.JAVA_INT, 0, item));
                        out.graph().task("triple").updates(data).run(kernel);
                        out.graph()
                                .task("get")
                                .reads(data)
                                .run(ctx -> read[0] = ctx.memory(data).segment().get(ValueLayout.JAVA_INT, 0));
                        out.whenDone(then -> {
                            then.release(lent);
                            then.emit(read[0]);
                        });
                    })
                    .takes(cells)
                    .releases(cells)
                    .on(ExecutionTarget.EMULATED, ExecutionTarget.HOST)
                    .byMeasuredTime(item -> 4);
            g.input().to(task).to(g.output());
        });
    }

    /** Returns the number of items that each target's copy has executed. */
    private Map<String, Long> checkTripled(Session session) {
        try (FlowRun<Integer, Integer> run = kernels().start(session)) {
            run.sendAll(FlowTest.numbers(ITEMS));
            run.finish();
            assertEquals(FlowTest.numbers(ITEMS).stream().map(item -> 3 * item).toList(), results(run));
            RandomFlow.checkNothingIsLost(run);
            assertEquals(FlowReport.Outcome.DONE, run.report().outcome());
            assertEquals(ITEMS, run.report().tasks().getFirst().executed());
            Map<String, Long> items = new TreeMap<>();
            run.profile().tasks().getFirst().copies().forEach(copy -> items.put(copy.device(), copy.itemsIn()));
            return items;
        }
    }

    @Test
    void kernelsRunOnTheTargetOfTheirCopy() {
        try (Session session = session(2, true)) {
            Map<String, Long> items = checkTripled(session);
            assertEquals(items, Map.of(HOST, (long) count(HOST), DEVICE, (long) count(DEVICE)));
            assertTrue(count(HOST) >= 1 && count(DEVICE) >= 1, executed::toString);
        }
    }

    @Test
    void theItemsOfALostDeviceGoToTheHost() {
        for (int lostAt : List.of(1, 2, 5, 20)) {
            executed.clear();
            EmulatedOffer offer = EmulatedDevice.offer(DEVICE).faults(FaultPlan.NONE.at(FaultPlan.Kind.LOSS, lostAt));
            try (Session session =
                    Session.builder().workers(2).device(offer, 1L << 20).open()) {
                assertEquals(Set.of(DEVICE, HOST), checkTripled(session).keySet());
                assertTrue(count(DEVICE) < lostAt, executed::toString);
                if (lostAt <= 2) { // later calls may not come before the end of the stream, if the device starts slowly
                    assertEquals(
                            Map.of(DEVICE, 0L, HOST, (long) ITEMS), checkTripled(session), "none to a lost device");
                }
            }
        }
    }

    // ---- bad input

    private String failure(ToLongFunction<Integer> sizes) {
        try (Session session = session(2, true)) {
            FlowRun<Integer, Integer> run = graph((target, item) -> {}, sizes).start(session);
            run.send(7);
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            RandomFlow.checkNothingIsLost(run);
            run.close();
            return failed.toString();
        }
    }

    @Test
    void aWrongSizeFailsTheRun() {
        String negative = failure(item -> -item);
        assertTrue(negative.contains("task \"work\" states a size of -7 for item 7: 0 or more"), negative);
        String thrown = failure(item -> {
            throw new IllegalStateException("no size");
        });
        assertTrue(thrown.contains("no size") && thrown.contains("work"), thrown);
    }

    @Test
    void aFunctionOfSizesMustNotUseTheRun() {
        AtomicReference<@Nullable FlowRun<Integer, Integer>> used = new AtomicReference<>();
        try (Session session = session(2, true)) {
            FlowRun<Integer, Integer> run = graph((target, item) -> {}, item -> {
                        FlowRun<Integer, Integer> its = used.get();
                        return its == null ? 0 : its.report().sent();
                    })
                    .start(session);
            used.set(run);
            run.send(7);
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertTrue(
                    failed.toString().contains("is used by the function of sizes of its own task \"work\""),
                    failed.toString());
            run.close();
        }
    }
}
