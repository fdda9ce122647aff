package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.random.FullStack;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Body;
import dev.jacquard.memory.data.Handle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls of streams for which the stack has more or less room, from none on. The caller makes such a call again until it
 * comes back: either each item is done once, or a wait tells that it was broken off; no wait lasts for ever.
 */
@Timeout(300)
class FullStackFlowTest {
    private static final long SMALL_STACK = 250_000;
    private static final int TRIALS = 60;
    private static final int ITEMS = 3;

    private final Logger log = Logger.getLogger("dev.jacquard.engine.Engine");

    /** A call that may find the stack full. */
    private interface Call {
        void run();
    }

    /** Makes calls, each of which may go through {@link #withLittleRoom}. */
    private interface Trial {
        /** Runs a graph in {@code session}; returns the results. */
        List<Integer> run(Session session) throws Exception;
    }

    /** Ends of an engine are logged, with a thousand lines for each full stack. */
    @BeforeEach
    void keepQuiet() {
        FullStack.prepare();
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void speakAgain() {
        log.setLevel(null);
    }

    /** Fills the stack, and makes the call with ever more room until no stack is full. */
    private static void withLittleRoom(Call call) {
        descend(0, call);
    }

    private static void descend(int level, Call call) {
        boolean full = false;
        try {
            if (level < Integer.MAX_VALUE) {
                descend(level + 1, call);
            }
        } catch (StackOverflowError e) {
            full = true;
        }
        if (full) {
            call.run();
        }
    }

    private static void tryAll(Trial trial) throws Exception {
        for (int i = 0; i < TRIALS; i++) {
            CompletableFuture<@Nullable List<Integer>> ended = new CompletableFuture<>();
            Thread thread = new Thread(null, () -> ended.complete(resultsOf(trial)), "room", SMALL_STACK - 16L * i);
            thread.setDaemon(true);
            thread.start();
            List<Integer> results = ended.get(30, TimeUnit.SECONDS);
            if (results != null) {
                Set<Integer> once = new HashSet<>(results);
                assertEquals(ITEMS, once.size(), () -> "lost of " + results);
                assertEquals(ITEMS, results.size(), () -> "twice in " + results);
            }
        }
    }

    /** Returns the results; null if a call has told that something broke off. */
    private static @Nullable List<Integer> resultsOf(Trial trial) {
        try (Session session = Session.builder()
                .workers(1)
                .stallWatch(Duration.ofMillis(100), text -> {})
                .open()) {
            return trial.run(session);
        } catch (Throwable told) {
            return null;
        }
    }

    private static List<Integer> sendAndFetch(Session session, FlowGraph<Integer, Integer> graph) {
        try (FlowRun<Integer, Integer> run = graph.start(session)) {
            for (int i = 0; i < ITEMS; i++) {
                run.send(i);
            }
            run.finish();
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            return results;
        }
    }

    private static FlowGraph<Integer, Integer> passing(Body<Integer, Integer> body) {
        return FlowGraph.build(
                "passing",
                g -> g.input()
                        .to(g.task("first", 1, () -> body))
                        .to(g.task("second", 2, () -> FlowTest.plus(0)))
                        .to(g.output()));
    }

    @Test
    void aBodyEmits() throws Exception {
        FlowGraph<Integer, Integer> graph = passing((item, out) -> withLittleRoom(() -> out.emit(item)));
        tryAll(session -> sendAndFetch(session, graph));
    }

    @Test
    void aThreadSendsAndFinishes() throws Exception {
        FlowGraph<Integer, Integer> graph = passing(FlowTest.plus(0));
        tryAll(session -> sendWithLittleRoom(session, graph));
    }

    /** The user's comparator runs as an item comes in. */
    @Test
    void aThreadSendsToATaskWithPriorities() throws Exception {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "ordering",
                g -> g.input()
                        .to(g.task("first", 1, () -> FlowTest.plus(0)).priority(Comparator.<Integer>naturalOrder()))
                        .to(g.output()));
        tryAll(session -> sendWithLittleRoom(session, graph));
    }

    private static List<Integer> sendWithLittleRoom(Session session, FlowGraph<Integer, Integer> graph) {
        try (FlowRun<Integer, Integer> run = graph.start(session)) {
            for (int i = 0; i < ITEMS; i++) {
                int item = i;
                withLittleRoom(() -> run.send(item));
            }
            withLittleRoom(run::finish);
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            return results;
        }
    }

    @Test
    void aThreadFetches() throws Exception {
        FlowGraph<Integer, Integer> graph = passing(FlowTest.plus(0));
        tryAll(session -> {
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                run.sendAll(List.of(0, 1, 2));
                run.finish();
                List<Integer> results = new ArrayList<>();
                Iterator<Integer> all = run.iterator();
                while (all.hasNext()) {
                    Integer[] next = new Integer[1];
                    withLittleRoom(() -> next[0] = all.next());
                    results.add(next[0]);
                }
                return results;
            }
        });
    }

    @Test
    void aBodyTakesAndReleases() throws Exception {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("lending", g -> {
            MemoryEdge<int[]> edge = g.memory("edge", 1, () -> new int[1]);
            FlowTask<Integer, Handle<int[]>> takes = g.task(
                    "takes",
                    1,
                    () -> (item, out) -> withLittleRoom(() -> {
                        Handle<int[]> lent = out.take(edge);
                        lent.value()[0] = item;
                        out.emit(lent);
                    }));
            FlowTask<Handle<int[]>, Integer> releases = g.task("releases", 1, () -> (lent, out) -> {
                int item = lent.value()[0];
                withLittleRoom(() -> out.release(lent));
                out.emit(item);
            });
            g.input().to(takes.takes(edge)).to(releases.releases(edge)).to(g.output());
        });
        tryAll(session -> sendAndFetch(session, graph));
    }
}
