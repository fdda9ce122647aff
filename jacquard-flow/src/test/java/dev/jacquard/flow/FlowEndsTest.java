package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.RunEndedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Start;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where runs begin and end: the copies of start tasks, inputs that lead out, full inputs, and what `close` tells. */
@Timeout(180)
class FlowEndsTest {
    /** Emits every page whose number is its own, modulo the number of copies. */
    private static final class Pages implements Body<Start, Integer> {
        private final List<String> told;
        private CopyInfo its = new CopyInfo("", 0, 1, 0, 1, null);

        Pages(List<String> told) {
            this.told = told;
        }

        @Override
        public void initialize(CopyInfo copy) {
            its = copy;
            told.add(copy.task() + " " + copy.index() + " of " + copy.copies());
        }

        @Override
        public void execute(Start signal, Emitter<Integer> out) {
            for (int page = its.index(); page < 9; page += its.copies()) {
                out.emit(page);
            }
        }
    }

    @Test
    void copiesOfAStartTaskShareTheWork() {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "pages", g -> g.start("read", 3, () -> new Pages(told)).to(g.output()));
        List<Integer> pages = new ArrayList<>();
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.finish();
            run.forEach(pages::add);
        }
        assertEquals(
                IntStream.range(0, 9).boxed().toList(), pages.stream().sorted().toList());
        assertEquals(
                List.of("read 0 of 3", "read 1 of 3", "read 2 of 3"),
                told.stream().sorted().toList());
    }

    /** The run is not done before its input is: no copy is at work for what passes through. */
    @Test
    void anInputThatLeadsOutKeepsTheRunOpen() {
        FlowGraph<Integer, Integer> graph =
                FlowGraph.build("through", g -> g.input().to(g.output()));
        try (Session session = Session.builder().workers(1).open()) {
            List<Integer> found = new ArrayList<>();
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                assertFalse(run.isDone());
                run.send(1);
                run.send(2);
                run.finish();
                run.finish();
                run.forEach(found::add);
                run.await();
            }
            assertEquals(List.of(1, 2), found);
            FlowRun<Integer, Integer> left = graph.start(session);
            left.send(1);
            left.close();
            assertTrue(left.isDone());
        }
    }

    @Test
    void twoEdgesFromTheInputAreToldOf() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("twice", g -> {
            FlowTask<Integer, Integer> task = g.task("t", 1, () -> (n, out) -> out.emit(n));
            g.input().to(task).to(g.output());
            g.input().to(task);
        });
        assertEquals(
                List.of("the graph's input is joined to \"t\" twice: remove one edge"),
                graph.check().problems());
    }

    /** No copy takes an item before all senders wait: exactly as many as the bound says are there. */
    @RepeatedTest(20)
    void threadsThatSendAtTheSameTimeKeepTheBound() throws Exception {
        int senders = 3;
        int bound = 40;
        CountDownLatch goOn = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("bounded", g -> {
            FlowTask<Integer, Integer> task = g.task("t", 1, () -> new Body<>() {
                @Override
                public void initialize(CopyInfo copy) {
                    Watchdog.await(goOn, "the senders wait");
                }

                @Override
                public void execute(Integer n, Emitter<Integer> out) {
                    out.emit(n);
                }
            });
            g.input().to(task.dedicated()).to(g.output());
        });
        List<Integer> all = IntStream.range(0, 100).boxed().toList();
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run =
                        graph.start(session, FlowRun.Options.defaults().withInputBound(bound))) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < senders; i++) {
                threads.add(Thread.ofPlatform().start(() -> run.sendAll(all)));
            }
            Watchdog.until(
                    () -> threads.stream()
                            .allMatch(thread -> thread.getState() == Thread.State.WAITING
                                    || thread.getState() == Thread.State.TIMED_WAITING),
                    "all senders wait");
            assertEquals(bound, run.report().sent());
            goOn.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            run.finish();
            AtomicInteger count = new AtomicInteger();
            run.forEach(n -> count.incrementAndGet());
            assertEquals(senders * all.size(), count.get());
            assertTrue(run.profile().tasks().getFirst().largestQueue() <= bound, run.profile()::toString);
        }
    }

    private static MemoryEdge.Allocator<int[]> counted(AtomicInteger live, String problem, Runnable before) {
        return new MemoryEdge.Allocator<>() {
            @Override
            public int[] allocate() {
                live.incrementAndGet();
                return new int[1];
            }

            @Override
            public void recycle(int[] buffer) throws IOException {
                before.run();
                if (!problem.isEmpty()) {
                    throw new IOException(problem);
                }
            }

            @Override
            public void free(int[] buffer) {
                live.decrementAndGet();
            }
        };
    }

    private static FlowGraph<Integer, Integer> used(AtomicInteger live, String problem, Runnable before) {
        return FlowGraph.build("used", g -> {
            MemoryEdge<int[]> edge = g.memory("m", 2, counted(live, problem, before));
            FlowTask<Integer, Integer> task = g.task("work", 1, () -> (n, out) -> {
                Handle<int[]> buffer = out.take(edge);
                CountDownLatch released = new CountDownLatch(1); // so the buffer goes back behind the task
                out.graph()
                        .task("use")
                        .updates(buffer)
                        .run(context -> Watchdog.await(released, "the body releases the buffer"));
                out.release(buffer);
                released.countDown();
                out.emit(n);
            });
            g.input().to(task.takes(edge).releases(edge)).to(g.output());
        });
    }

    @Test
    void buffersAreFreedBehindAListenerThatThrows() {
        AtomicInteger live = new AtomicInteger();
        Session session = Session.builder()
                .workers(2)
                .listener(change -> {
                    throw new IllegalStateException("disk full");
                })
                .open();
        FlowRun<Integer, Integer> run = used(live, "", () -> {}).start(session);
        run.send(1);
        run.finish();
        Watchdog.until(run::isDone, "the listener ends the run");
        assertMentions(assertThrows(RunEndedException.class, run::close), "disk full");
        assertEquals(0, live.get());
        session.close();
    }

    /** The buffer is given back behind the tasks that use it, and may be so after the last copy has ended. */
    @Test
    void whatAnAllocatorThrowsBehindTheEndIsToldByClose() {
        AtomicInteger live = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(1);
        try (Session session = Session.builder().workers(3).open()) {
            FlowRun<Integer, Integer> run = used(live, "late", () -> Watchdog.await(over, "the copies have ended"))
                    .start(session);
            run.send(1);
            run.finish();
            Watchdog.until(run::isDone, "the copies have ended");
            over.countDown();
            assertMentions(assertThrows(FlowFailedException.class, run::close), "failed in release", "late");
            assertEquals(0, live.get());
        }
    }

    @Test
    void aSecondCloseWaits() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("slow", g -> {
            FlowTask<Integer, Integer> task = g.task("t", 1, () -> (n, out) -> {
                begun.countDown();
                while (goOn.getCount() > 0) { // also if it is interrupted
                    Thread.onSpinWait();
                }
            });
            g.input().to(task).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            run.send(1);
            Watchdog.await(begun, "the body runs");
            FutureTask<Boolean> first = closing(run);
            Watchdog.until(() -> run.report().outcome() != FlowReport.Outcome.RUNNING, "closing");
            FutureTask<Boolean> second = closing(run);
            assertFalse(run.isDone());
            goOn.countDown();
            assertTrue(second.get());
            assertTrue(first.get());
        }
    }

    /** Returns whether the run is done when it is closed. */
    private static FutureTask<Boolean> closing(FlowRun<?, ?> run) {
        FutureTask<Boolean> closes = new FutureTask<>(() -> {
            run.close();
            return run.isDone();
        });
        Thread.ofPlatform().start(closes);
        return closes;
    }

    @Test
    void buffersAreTakenInExecute() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("late", g -> {
            MemoryEdge<int[]> edge = g.memory("m", 2, () -> new int[1]);
            FlowTask<Integer, Integer> task =
                    g.task("work", 1, () -> (n, out) -> out.whenDone(later -> later.release(later.take(edge))));
            g.input().to(task.takes(edge).releases(edge)).to(g.output());
        });
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            run.finish();
            assertMentions(
                    assertThrows(FlowFailedException.class, run::await),
                    "task \"work\" took from memory edge \"m\" outside of execute");
        }
    }
}
