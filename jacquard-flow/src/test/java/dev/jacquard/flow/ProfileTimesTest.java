package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Start;
import dev.jacquard.memory.data.Handle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The times of copies, with a clock that advances in bodies alone. */
@Timeout(120)
class ProfileTimesTest {
    private static final long START = 1_000_000;

    private final AtomicLong time = new AtomicLong(START);

    private Session session(int workers) {
        return Session.builder().workers(workers).clock(time::get).open();
    }

    private static FlowProfile.Copy copy(FlowProfile profile, String task) {
        return profile.task(task).orElseThrow().copies().getFirst();
    }

    private static long life(FlowProfile.Copy copy) {
        return copy.computeNanos() + copy.waitNanos() + copy.lockNanos() + copy.memoryWaitNanos();
    }

    private static <O> int drain(FlowRun<?, O> run) {
        int results = 0;
        for (O result : run) {
            assertTrue(result != null);
            results++;
        }
        return results;
    }

    @Test
    void computeAndWaitAreExactAndAddUp() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("times", g -> {
            FlowTask<Integer, Integer> slow = g.task("slow", 1, () -> (n, out) -> {
                time.addAndGet(30);
                out.emit(n);
            });
            FlowTask<Integer, Integer> quick = g.task("quick", 1, () -> (n, out) -> {
                time.addAndGet(5);
                out.emit(n);
            });
            g.input().to(slow).to(quick).to(g.output());
        });
        try (Session session = session(1);
                FlowRun<Integer, Integer> run = graph.start(session)) {
            FlowTest.numbers(100).forEach(run::send);
            run.finish();
            assertEquals(100, drain(run));
            FlowProfile profile = run.profile();
            assertEquals(3_500, profile.elapsedNanos());
            assertEquals(3_000, copy(profile, "slow").computeNanos());
            assertEquals(500, copy(profile, "quick").computeNanos());
            assertEquals(
                    0, copy(profile, "slow").lockNanos() + copy(profile, "slow").memoryWaitNanos());
            assertEquals(3_500, life(copy(profile, "quick")), "it ends last");
            assertEquals(100, copy(profile, "slow").itemsIn());
            assertEquals(100, copy(profile, "slow").itemsOut());
            FlowProfile.Bottleneck found = profile.bottleneck().orElseThrow();
            assertEquals("slow", found.task());
            assertEquals(3_000 / 3_500.0, found.busy(), 1e-9);
            assertEquals(100 / 3_500e-9, found.itemsPerSecond(), 1);
        }
    }

    @Test
    void phasesOfTheBodyAreWork() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "phases",
                g -> g.input()
                        .to(g.<Integer, Integer>task("phases", 1, () -> new Body<>() {
                            @Override
                            public void initialize(CopyInfo copy) {
                                time.addAndGet(7);
                            }

                            @Override
                            public void execute(Integer item, Emitter<Integer> out) {
                                time.addAndGet(11);
                                out.emit(item);
                            }

                            @Override
                            public void shutdown(Emitter<Integer> out) {
                                time.addAndGet(13);
                            }
                        }))
                        .to(g.output()));
        try (Session session = session(1);
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            run.finish();
            assertEquals(1, drain(run));
            assertEquals(7 + 11 + 13, copy(run.profile(), "phases").computeNanos());
        }
    }

    @Test
    void aBodyAtWorkIsSeenWhileItWorks() {
        AtomicReference<@Nullable FlowRun<Integer, Integer>> running = new AtomicReference<>();
        List<FlowProfile> seen = new ArrayList<>();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("seen", g -> {
            FlowTask<Integer, Integer> first = g.task("first", 1, () -> (n, out) -> {
                time.addAndGet(40);
                seen.add(Objects.requireNonNull(running.get()).profile());
                time.addAndGet(60);
                seen.add(Objects.requireNonNull(running.get()).profile());
                out.emit(n);
            });
            FlowTask<Integer, Integer> second = g.task("second", 1, () -> (n, out) -> out.emit(n));
            g.input().to(first).to(second).to(g.output());
        });
        try (Session session = session(1);
                FlowRun<Integer, Integer> run = graph.start(session)) {
            running.set(run);
            run.send(1);
            run.finish();
            assertEquals(1, drain(run));
        }
        for (FlowProfile profile : seen) {
            assertEquals(profile.elapsedNanos(), copy(profile, "first").computeNanos());
            assertEquals(0, copy(profile, "first").waitNanos());
            assertEquals(profile.elapsedNanos(), copy(profile, "second").waitNanos());
        }
        assertEquals(
                List.of(40L, 100L), seen.stream().map(FlowProfile::elapsedNanos).toList());
    }

    @Test
    void waitingForBuffersIsMemoryWait() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("memory", g -> {
            MemoryEdge<int[]> buffers = g.memory("buffers", 1, () -> new int[1]);
            FlowTask<Integer, Handle<int[]>> take = g.task("take", 1, () -> (n, out) -> {
                time.addAndGet(2);
                out.emit(out.take(buffers));
            });
            FlowTask<Handle<int[]>, Integer> hold = g.task("hold", 1, () -> (handle, out) -> {
                time.addAndGet(10);
                out.release(handle);
                out.emit(1);
            });
            g.input().to(take.takes(buffers)).to(hold.releases(buffers)).to(g.output());
        });
        try (Session session = session(1);
                FlowRun<Integer, Integer> run = graph.start(session)) {
            FlowTest.numbers(10).forEach(run::send);
            run.finish();
            assertEquals(10, drain(run));
            FlowProfile profile = run.profile();
            assertEquals(20, copy(profile, "take").computeNanos());
            assertEquals(90, copy(profile, "take").memoryWaitNanos(), "all but the last buffer are waited for");
            assertEquals(0, copy(profile, "hold").memoryWaitNanos());
            assertEquals(100, copy(profile, "hold").computeNanos());
            assertEquals(20, copy(profile, "hold").waitNanos());
        }
    }

    @Test
    void aBodyThatWaitsForABufferDoesNotCompute() throws InterruptedException {
        CountDownLatch asks = new CountDownLatch(1);
        AtomicReference<MemoryEdge<int[]>> edge = new AtomicReference<>();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("memory in a body", g -> {
            MemoryEdge<int[]> buffers =
                    g.memory("buffers", 1, () -> new int[1]).takenOutside().releasedOutside();
            edge.set(buffers);
            FlowTask<Integer, Integer> take = g.<Integer, Integer>task("take", 1, () -> (n, out) -> {
                        time.addAndGet(2);
                        asks.countDown();
                        out.release(out.take(buffers));
                        time.addAndGet(3);
                        out.emit(n);
                    })
                    .dedicated();
            g.input().to(take).to(g.output());
        });
        try (Session session = session(1);
                FlowRun<Integer, Integer> run = graph.start(session)) {
            Handle<int[]> held = run.take(Objects.requireNonNull(edge.get()), ReleaseRule.after(1));
            run.send(1);
            run.finish();
            asks.await();
            while (!session.snapshot().toString().contains("in a body that waits for a buffer")) {
                Thread.onSpinWait();
            }
            time.addAndGet(100);
            assertEquals(100, copy(run.profile(), "take").memoryWaitNanos(), "while it waits");
            run.release(held);
            assertEquals(1, drain(run));
            assertEquals(100, copy(run.profile(), "take").memoryWaitNanos());
            assertEquals(5, copy(run.profile(), "take").computeNanos());
        }
    }

    @Test
    void waitingForTheLockOfARuleIsLockTime() throws InterruptedException {
        AtomicReference<Thread> first = new AtomicReference<>();
        AtomicReference<Thread> second = new AtomicReference<>();
        CountDownLatch inside = new CountDownLatch(1);
        Rule<Integer, Integer> shared = new Rule<>() {
            @Override
            public void apply(Integer item, int pipeline, Emitter<Integer> out) {
                if (first.compareAndSet(null, Thread.currentThread())) {
                    inside.countDown();
                    while (!isBlocked(second.get(), this)) {
                        Thread.onSpinWait();
                    }
                    time.addAndGet(1_000);
                }
                out.emit(item);
            }
        };
        FlowGraph<Integer, Integer> graph = FlowGraph.build("lock", g -> {
            Bookkeeper<Integer> one = g.bookkeeper("one");
            FlowTask<Integer, Integer> later = g.<Integer, Integer>task("later", 1, () -> (n, out) -> {
                inside.await();
                out.emit(n);
            });
            Bookkeeper<Integer> other = g.bookkeeper("other");
            FlowTask<Integer, Integer> notes = g.<Integer, Integer>task("notes", 1, () -> (n, out) -> out.emit(n));
            g.input().to(one);
            g.input().to(later).to(other);
            one.<Integer>rule(shared).to(notes);
            other.<Integer>rule((item, pipeline, out) -> {
                        second.set(Thread.currentThread());
                        out.emit(item);
                    })
                    .to(notes);
            other.<Integer>rule(shared).to(notes);
            notes.to(g.output());
        });
        FlowRun.Options dedicated = FlowRun.Options.defaults().withDedicatedThreads();
        try (Session session = session(1);
                FlowRun<Integer, Integer> run = graph.start(session, dedicated)) {
            run.send(1);
            run.finish();
            assertEquals(3, drain(run));
            FlowProfile profile = run.profile();
            assertEquals(1_000, copy(profile, "other").lockNanos());
            assertEquals(0, copy(profile, "other").computeNanos());
            assertEquals(1_000, copy(profile, "one").computeNanos());
            assertEquals(0, copy(profile, "one").lockNanos());
        }
    }

    /** Returns true if {@code thread} waits for the monitor of {@code lock}. */
    private static boolean isBlocked(@Nullable Thread thread, Object lock) {
        ThreadInfo info =
                thread == null ? null : ManagementFactory.getThreadMXBean().getThreadInfo(thread.threadId());
        return info != null
                && info.getThreadState() == Thread.State.BLOCKED
                && info.getLockInfo() != null
                && info.getLockInfo().getIdentityHashCode() == System.identityHashCode(lock);
    }

    @Test
    void noTaskHasWorkedOnMoreItemsThanWereSentToIt() {
        AtomicReference<@Nullable FlowRun<Integer, Integer>> running = new AtomicReference<>();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("all from one signal", g -> {
            FlowTask<Start, Integer> source = g.start("source", 1, () -> new Body<>() {
                private boolean done;

                @Override
                public void execute(Start item, Emitter<Integer> out) {
                    for (int n = 0; n < 5_000; n++) { // in one activation
                        out.emit(n);
                    }
                    done = true;
                }

                @Override
                public boolean canTerminate(boolean inputClosed) {
                    return done;
                }
            });
            FlowTask<Integer, Integer> middle = g.task("middle", 2, () -> (n, out) -> out.emit(n));
            FlowTask<Integer, Integer> last = g.task("last", 1, () -> (n, out) -> {
                FlowRun<Integer, Integer> run = running.get();
                if (n % 50 == 0 && run != null) { // null before start has returned
                    checkOrder(run.profile());
                }
                out.emit(n);
            });
            source.to(middle).to(last).to(g.output());
        });
        for (boolean dedicated : new boolean[] {false, true}) {
            FlowRun.Options options = new FlowRun.Options(dedicated, 0, 0);
            try (Session session = Session.builder().workers(4).open()) {
                FlowRun<Integer, Integer> run = startThen(graph, session, options, running);
                try (run) {
                    assertEquals(5_000, drain(run));
                    checkOrder(run.profile());
                }
            }
        }
    }

    private static FlowRun<Integer, Integer> startThen(
            FlowGraph<Integer, Integer> graph,
            Session session,
            FlowRun.Options options,
            AtomicReference<@Nullable FlowRun<Integer, Integer>> running) {
        running.set(null);
        FlowRun<Integer, Integer> run = graph.start(session, options);
        running.set(run);
        return run;
    }

    private static void checkOrder(FlowProfile profile) {
        for (FlowProfile.Task task : profile.tasks()) {
            long sent = profile.links().stream()
                    .filter(link -> link.to().equals(task.name()))
                    .mapToLong(FlowProfile.Link::items)
                    .sum();
            assertTrue(task.name().equals("source") || task.itemsIn() + task.queued() <= sent, profile::toText);
            for (FlowProfile.Copy copy : task.copies()) {
                assertTrue(life(copy) <= profile.elapsedNanos(), profile::toText);
                assertTrue(Math.min(copy.computeNanos(), copy.lockNanos()) >= 0, profile::toText);
            }
        }
    }

    @Test
    void everyCopyHasItsOwnFigures() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "copies",
                g -> g.input()
                        .to(g.<Integer, Integer>task("work", 3, () -> (n, out) -> out.emit(n))
                                .oneByOne())
                        .to(g.output()));
        try (Session session = Session.builder().workers(4).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            FlowTest.numbers(300).forEach(run::send);
            run.finish();
            assertEquals(300, drain(run));
            FlowProfile.Task work = run.profile().task("work").orElseThrow();
            assertEquals(
                    List.of(0, 1, 2),
                    work.copies().stream().map(FlowProfile.Copy::index).toList());
            assertEquals(300, work.itemsIn());
            assertEquals(300, work.itemsOut());
            for (FlowProfile.Copy copy : work.copies()) {
                assertEquals(copy.itemsIn(), copy.itemsOut());
            }
        }
    }
}
