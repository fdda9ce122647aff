package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.testkit.BusyCarriers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class DedicatedTest {
    @Test
    void everyPhaseOfACopyRunsOnOneThreadOfItsOwn() {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        final class Recorder implements Body<Integer, Integer> {
            @Override
            public void initialize(CopyInfo copy) {
                seen.add(copy.index() + " on " + Thread.currentThread().getName());
            }

            @Override
            public void execute(Integer item, Emitter<Integer> out) {
                assertTrue(Thread.currentThread().getName().startsWith("own/recorder "));
                out.emit(item);
            }
        }
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "own",
                g -> g.input()
                        .to(g.task("recorder", 2, Recorder::new).dedicated())
                        .to(g.task("shared", 1, () -> FlowTest.plus(0)))
                        .to(g.output()));
        try (Session session = Session.builder().workers(1).open()) {
            assertEquals(
                    1000,
                    FlowTest.run(graph, session.executor(), FlowTest.numbers(1000))
                            .size());
            Set<String> alive = new HashSet<>();
            Thread.getAllStackTraces().keySet().forEach(thread -> alive.add(thread.getName()));
            assertFalse(alive.contains("own/recorder 0"));
        }
        assertEquals(Set.of("0 on own/recorder 0", "1 on own/recorder 1"), seen);
    }

    /** A thread becomes idle shortly after its run, so that the next run may come too early for it. */
    @Test
    void aLaterRunUsesTheThreadsOfAnEarlierOne() {
        Set<Long> seen = new HashSet<>();
        AtomicLong latest = new AtomicLong();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("again", g -> {
            FlowTask<Integer, Integer> task = g.task("note", 1, () -> (item, out) -> {
                latest.set(Thread.currentThread().threadId());
                out.emit(item);
            });
            g.input().to(task.dedicated()).to(g.output());
        });
        try (Session session = Session.builder().workers(1).open()) {
            do {
                seen.add(latest.get());
                assertEquals(List.of(1), FlowTest.run(graph, session.executor(), List.of(1)));
            } while (!seen.contains(latest.get()));
        }
    }

    @Test
    void aWholeGraphCanRunOnThreadsOfItsOwn() {
        try (ThreadedWorkers workers = new ThreadedWorkers(1);
                FlowRun<Integer, Integer> run = FlowTest.countdown()
                        .start(workers, FlowRun.Options.defaults().withDedicatedThreads())) {
            FlowTest.numbers(5).forEach(run::send);
            run.finish();
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            assertEquals(15, results.size());
        }
    }

    @Test
    void aRunWhoseThreadsCannotAllBeStartedFails() {
        for (int threads = 0; threads < 4; threads++) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build(
                    "threads",
                    g -> g.input()
                            .to(g.task("first", 2, () -> FlowTest.plus(1)).dedicated())
                            .to(g.task("shared", 2, () -> FlowTest.plus(1)))
                            .to(g.task("last", 2, () -> FlowTest.plus(1)).dedicated())
                            .to(g.output()));
            try (ThreadedWorkers workers = new ThreadedWorkers(1)) {
                workers.threadsLeft(threads);
                FlowRun<Integer, Integer> run = graph.start(workers);
                FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
                assertTrue(failed.getCause() instanceof OutOfMemoryError, failed.toString());
                assertEquals(threads < 2 ? "first" : "last", failed.task());
                run.close();
                assertTrue(run.isDone());
            }
        }
    }

    /** As an error of the machine in code of the runtime: here the clock has no memory left, on that thread alone. */
    @Test
    void anErrorOutsideOfPhasesEndsTheWaitsForACopyWithAThreadOfItsOwn() {
        OutOfMemoryError full = new OutOfMemoryError("no room for a time");
        AtomicBoolean isFull = new AtomicBoolean();
        Session session = Session.builder()
                .workers(1)
                .clock(() -> {
                    if (isFull.get() && Thread.currentThread().getName().startsWith("own/")) {
                        throw full;
                    }
                    return System.nanoTime();
                })
                .open();
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "own",
                g -> g.input()
                        .to(g.task("last", 2, () -> FlowTest.plus(1)).dedicated())
                        .to(g.output()));
        FlowRun<Integer, Integer> run = graph.start(session);
        isFull.set(true);
        run.send(1);
        assertSame(full, assertThrows(IllegalStateException.class, run::await).getCause());
        assertThrows(IllegalStateException.class, run::close);
        assertThrows(IllegalStateException.class, session::close);
    }

    private static final class Ticker implements Body<Integer, String> {
        @Override
        public void execute(Integer item, Emitter<String> out) {
            out.emit("item");
        }

        @Override
        public void idle(Emitter<String> out) {
            out.emit("tick");
        }
    }

    /** Without threads of its own a task that polls needs the session's timers, whatever else computes. */
    @Test
    void aTaskThatPollsOnWorkersIsCalledWhileVirtualThreadsCompute() {
        FlowGraph<Integer, String> graph = FlowGraph.build(
                "poll",
                g -> g.input()
                        .to(g.task("ticker", 1, Ticker::new).poll(Duration.ofMillis(1)))
                        .to(g.output()));
        try (BusyCarriers _ = new BusyCarriers();
                Session session = Session.builder().workers(2).open();
                FlowRun<Integer, String> run = graph.start(session)) {
            assertEquals("tick", run.iterator().next());
            assertEquals("tick", run.iterator().next());
            run.finish();
            run.forEach(text -> assertEquals("tick", text));
        }
    }

    @Test
    void aTaskThatPollsIsCalledWhenNoItemComes() {
        FlowGraph<Integer, String> graph = FlowGraph.build(
                "poll",
                g -> g.input()
                        .to(g.task("ticker", 1, Ticker::new).dedicated().poll(Duration.ofMillis(1)))
                        .to(g.output()));
        try (ThreadedWorkers workers = new ThreadedWorkers(1);
                FlowRun<Integer, String> run = graph.start(workers)) {
            assertEquals("tick", run.iterator().next());
            assertEquals("tick", run.iterator().next());
            run.send(1);
            run.finish();
            List<String> rest = new ArrayList<>();
            run.forEach(rest::add);
            assertTrue(rest.contains("item"));
        }
    }
}
