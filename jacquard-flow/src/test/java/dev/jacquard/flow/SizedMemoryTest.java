package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.Permit;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.memory.SizedEdge.SizedAllocator;
import dev.jacquard.flow.proof.Proof;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory edges that bound bytes, and permits. */
@Timeout(180)
class SizedMemoryTest {
    private static final int LIMIT = 100;

    private final AtomicLong live = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();
    private final List<SizedEdge<byte[]>> edges = new ArrayList<>();

    private final class Counting implements SizedAllocator<byte[]> {
        @Override
        public byte[] allocate(long bytes) {
            peak.accumulateAndGet(live.addAndGet(bytes), Math::max);
            return new byte[(int) bytes];
        }

        @Override
        public void free(byte[] buffer) {
            live.addAndGet(-buffer.length);
        }
    }

    /** Takes two buffers per item, of {@code item} bytes together, and releases them in a later task. */
    private FlowGraph<Integer, Integer> rows(int declared, Consumer<SizedEdge<byte[]>> options) {
        return FlowGraph.build("rows", g -> {
            SizedEdge<byte[]> rows = g.memory("rows", 16, LIMIT, new Counting());
            options.accept(rows);
            edges.add(rows);
            FlowTask<Integer, List<Handle<byte[]>>> read = g.task("read", 3, () -> (bytes, out) -> {
                Handle<byte[]> one = out.take(rows, bytes / 3);
                out.emit(List.of(one, out.take(rows, bytes - bytes / 3)));
            });
            FlowTask<List<Handle<byte[]>>, Integer> use = g.task("use", 2, () -> (its, out) -> {
                its.forEach(out::release);
                out.emit(its.stream().mapToInt(row -> row.value().length).sum());
            });
            g.input().to(read.takes(rows, 2, declared)).to(use.releases(rows)).to(g.output());
        });
    }

    private static int sum(FlowRun<Integer, Integer> run, int items) {
        for (int bytes = 1; bytes <= items; bytes++) {
            run.send(bytes);
        }
        run.finish();
        int sum = 0;
        for (int bytes : run) {
            sum += bytes;
        }
        return sum;
    }

    private void checkBytes(FlowRun<Integer, Integer> run) {
        FlowProfile.Memory memory = run.profile().memories().getFirst();
        assertEquals(LIMIT, memory.limitBytes());
        assertTrue(memory.peakBytes() <= LIMIT && memory.peakBytes() > 0, memory.toString());
        assertEquals(0, memory.liveBytes());
        assertTrue(peak.get() <= LIMIT, "peak " + peak);
        assertTrue(run.profile().toDot().contains("of 100"), run.profile().toDot());
        assertTrue(run.profile().toSvg().contains("limit in bytes"));
    }

    @Test
    void theBytesAreNeverMoreThanTheEdgeHas() {
        for (long seed = 0; seed < 100; seed++) {
            try (FlowRun<Integer, Integer> run = rows(60, rows -> {}).start(new SeededWorkers(seed))) {
                assertEquals(60 * 61 / 2, sum(run, 60));
                checkBytes(run);
            }
        }
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            FlowRun.Options[] options = {
                FlowRun.Options.defaults(), FlowRun.Options.defaults().withDedicatedThreads()
            };
            for (FlowRun.Options each : options) {
                for (int i = 0; i < 20; i++) {
                    try (FlowRun<Integer, Integer> run = rows(60, rows -> {}).start(workers, each)) {
                        assertEquals(60 * 61 / 2, sum(run, 60));
                        checkBytes(run);
                    }
                }
            }
        }
        assertEquals(0, live.get());
    }

    @Test
    void bytesBeyondTheSmallestNumberAreLentAheadAndNoMore() {
        for (long seed = 0; seed < 100; seed++) {
            FlowGraph<Integer, Integer> graph = rows(60, rows -> rows.atLeast(2, 60, "an item's rows"));
            try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(seed))) {
                assertEquals(30 * 31 / 2, sum(run, 30));
                checkBytes(run);
            }
        }
    }

    private void assertFails(FlowGraph<Integer, Integer> graph, int item, String message) {
        FlowFailedException failed = assertThrows(FlowFailedException.class, () -> {
            try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
                run.send(item);
                run.finish();
                run.await();
            }
        });
        assertMentions(failed, message);
        assertEquals(0, live.get());
    }

    @Test
    void aTakeBeyondItsDeclarationOrTheEdgeFailsTheItem() {
        assertFails(
                rows(10, rows -> {}),
                12,
                "task \"read\" took 8 bytes of memory edge \"rows\", and has 6 left of those it declared: "
                        + "declare the most per item with takes(edge, count, bytes)");
        assertFails(
                rows(LIMIT, rows -> {}),
                400,
                "took 133 bytes of memory edge \"rows\", which has 100: the item is too large for its buffer");
        assertFails(rows(LIMIT, rows -> {}), -3, "a buffer of -1 bytes of memory edge \"rows\": 0 or more");
    }

    @Test
    void theCheckNamesEdgesThatAreTooSmall() {
        assertMentions(
                assertThrows(
                        IllegalStateException.class,
                        () -> rows(LIMIT + 1, rows -> {}).check().orThrow()),
                "task \"read\" takes 101 bytes of memory edge \"rows\" per item, which has 100: the items are too"
                        + " large");
        assertMentions(
                assertThrows(
                        IllegalStateException.class,
                        () -> rows(10, rows -> rows.atLeast(2, 200, "two rows"))
                                .check()
                                .orThrow()),
                "memory edge \"rows\" has 100 bytes, and works with no less than 200 (two rows)");
        FlowGraph<Integer, Integer> unstated = FlowGraph.build("unstated", g -> {
            SizedEdge<byte[]> rows = g.memory("rows", 0, 0, byteCount -> new byte[(int) byteCount]);
            FlowTask<Integer, Integer> read = g.task("read", 1, () -> (n, out) -> out.emit(n));
            g.input().to(read.takes(rows).releases(rows)).to(g.output());
        });
        List<String> problems = unstated.check().problems();
        assertTrue(problems.contains("memory edge \"rows\" has 0 buffers: at least 1"), problems.toString());
        assertTrue(problems.contains("memory edge \"rows\" has 0 bytes: at least 1"), problems.toString());
        assertTrue(problems.toString().contains("states no bytes: declare the most per item"), problems.toString());
    }

    @Test
    void codeOutsideTakesBySizeUntilTheRunIsOver() {
        FlowGraph<Integer, Integer> graph = rows(60, rows -> rows.takenOutside().releasedOutside());
        try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
            Handle<byte[]> half = run.take(edges.getFirst(), 50, ReleaseRule.once());
            assertEquals(50, run.profile().memories().getFirst().liveBytes());
            run.release(half);
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> run.take(edges.getFirst(), LIMIT + 1, ReleaseRule.once())),
                    "too large for its buffer");
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> run.take(edges.getFirst(), ReleaseRule.once())),
                    "memory edge \"rows\" lends by size: take(edge, bytes)");
            assertEquals(3, sum(run, 2));
            run.await();
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> run.take(edges.getFirst(), 1, ReleaseRule.once())),
                    "the run is over, so that no buffer of memory edge \"rows\" is lent any more");
        }
    }

    @Test
    void dataIsTakenByItsLayout() {
        int limit = 4 * 64;
        FlowGraph<Integer, Integer> graph = FlowGraph.build("data", g -> {
            SizedEdge<Data> blocks = g.memory("blocks", 8, limit);
            FlowTask<Integer, Integer> write = g.task("write", 2, () -> (item, out) -> {
                Handle<Data> lent = out.take(blocks, Layout.of(DataType.INT64, 8L * (1 + item % 3)));
                Data data = lent.value();
                out.graph().task("set").writes(data).run(ctx -> ctx.memory(data).setLong(0, item));
                out.release(lent);
                out.emitWhenDone(item);
            });
            g.input().to(write.takes(blocks, 1, 3 * 64).releases(blocks)).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open()) {
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                assertEquals(30 * 31 / 2, sum(run, 30));
                FlowProfile.Memory memory = run.profile().memories().getFirst();
                assertTrue(memory.peakBytes() <= limit, memory.toString());
            }
            Transfers.Used host = session.data().transfers().spaces().getFirst();
            assertTrue(host.peak() <= limit, host.toString());
            assertEquals(0, host.bytes(), host.toString());
        }
    }

    /** Takes permits, and counts the items between the two tasks. */
    private static FlowGraph<Integer, Handle<Permit>> throttled(AtomicInteger between, ReleaseRule rule) {
        return FlowGraph.build("throttled", g -> {
            MemoryEdge<Permit> io = g.permits("io", 2).releasedOutside();
            FlowTask<Integer, Handle<Permit>> open = g.task("open", 3, () -> (item, out) -> {
                between.incrementAndGet();
                out.emit(out.take(io, rule));
            });
            g.input().to(open.takes(io)).to(g.output());
        });
    }

    @Test
    void permitsThrottleAndAllocateNothing() {
        for (long seed = 0; seed < 50; seed++) {
            AtomicInteger between = new AtomicInteger();
            try (FlowRun<Integer, Handle<Permit>> run =
                    throttled(between, ReleaseRule.once()).start(new SeededWorkers(seed))) {
                FlowTest.numbers(30).forEach(run::send);
                run.finish();
                for (Handle<Permit> permit : run) {
                    assertTrue(between.getAndDecrement() <= 2);
                    assertEquals("permit", permit.value().toString());
                    run.release(permit);
                }
                assertEquals(30, run.profile().memories().getFirst().taken());
            }
        }
    }

    @Test
    void aBufferWhoseRuleNeverReleasesIsNamedWithTaskAndItem() throws InterruptedException {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("kept", g -> {
            MemoryEdge<Permit> io = g.permits("io", 1);
            FlowTask<Integer, Integer> open = g.task("open", 1, () -> (item, out) -> {
                Handle<Permit> permit = out.take(io, () -> false);
                out.release(permit);
                out.emit(item);
            });
            g.input().to(open.takes(io).releases(io)).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            run.send(7);
            run.send(8);
            run.finish();
            session.awaitUntil(() -> session.snapshot().toString().contains("1 of them for buffers"));
            String text = session.snapshot().toString();
            assertTrue(
                    text.contains("io[0], taken by open copy 0, held since")
                            && text.contains(
                                    ", for item 1 from outside, released 1 times, but its release rule keeps it"),
                    text);
            run.cancel();
            assertThrows(RuntimeException.class, run::await);
            run.close();
        }
    }

    @Test
    void aProofCountsBytesAndADryRunDoesNot() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("bytes", g -> {
            SizedEdge<byte[]> rows = g.memory("rows", 2, 100, size -> new byte[(int) size]);
            FlowTask<Integer, Integer> task = g.task("task", 1, () -> (item, out) -> {
                out.release(out.take(rows, 10));
                out.emit(item);
            });
            g.input()
                    .to(task.takes(rows, 1, 10).releases(rows, 1).emits(1).dry(item -> List.of(item)))
                    .to(g.output());
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        assertEquals(Proof.Verdict.PROVED, graph.prove().verdict());
        assertMentions(
                assertThrows(IllegalStateException.class, () -> graph.dryRun(List.of(1))),
                "memory edge \"rows\" cannot be part of a dry run: it lends by size");
    }
}
