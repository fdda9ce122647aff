package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.PastFailureException;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.LiveObjects;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What failures leave: little memory, and no work for tasks that have nothing to do with them. */
@Timeout(120)
class BoundedFailuresTest {
    private static final int STEPS = 4_000;
    /** The bytes that a failed step may keep: 200 with compact object headers, which the JVM of tests lacks. */
    private static final int MOST = 200 + 40;

    private final Session session = Session.builder().workers(2).open();
    private final TaskGraph graph = session.graph("steps", FailurePolicy.CONTINUE);

    @AfterEach
    void close() {
        session.close();
    }

    /** An access to some keys, which counts the questions. */
    private record Keyed(Set<String> keys, boolean writes, AtomicLong asked) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            asked.incrementAndGet();
            return Mode.ofStranger(this).conflictsWith(earlier)
                    && !(earlier instanceof Keyed other && Collections.disjoint(keys, other.keys));
        }

        @Override
        public boolean covers(Access other) {
            return Mode.ofStranger(other) == Mode.NONE
                    || (other instanceof Keyed part && keys.containsAll(part.keys) && (writes || !part.writes));
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public Access whole() {
            return Mode.ofStranger(this);
        }
    }

    private void fail(int steps, IntFunction<TaskBuilder> step) {
        for (int i = 0; i < steps; i++) {
            step.apply(i).run(context -> {
                throw new IllegalStateException("no such record");
            });
            if (i % 100 == 99) {
                assertThrows(TaskFailedException.class, graph::await);
            }
        }
    }

    private void assertKeeps(int most, IntFunction<TaskBuilder> step) {
        int[] first = {0};
        long bytes = LiveObjects.bytesKeptBy(() -> {
            int from = first[0];
            fail(STEPS, i -> step.apply(from + i));
            first[0] += STEPS;
        });
        assertTrue(bytes < most * (long) STEPS, bytes / STEPS + " bytes are kept for each step that failed");
    }

    @Test
    void failedAreasKeepLittle() {
        Resource field = session.resource("field");
        assertKeeps(MOST, i -> graph.task("step").accesses(field, Access.update(Area.of(i, i))));
    }

    @Test
    void failedPartsKeepLittle() {
        Resource field = session.resource("field");
        assertKeeps(MOST, i -> graph.task("step").updates(session.resource("tile", field)));
    }

    @Test
    void failedTaggedStepsKeepLittle() {
        assertKeeps(MOST, i -> graph.task("step").tag("step " + i));
    }

    @Test
    void failedKeysKeepLittleBesidesTheirAccess() {
        Resource map = session.resource("map");
        AtomicLong asked = new AtomicLong();
        int access = 24 + 24 + 24 + 24 + 32; // the access, its set, the key
        assertKeeps(MOST + access, i -> graph.task("step").accesses(map, new Keyed(Set.of("bad " + i), true, asked)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStepIsNotAskedAboutFailuresOnOtherKeys(boolean unordered) {
        Resource map =
                unordered ? session.wrap("map", new Object(), session.unordered("lock")) : session.resource("map");
        AtomicLong asked = new AtomicLong();
        fail(2_000, i -> graph.task("step").accesses(map, new Keyed(Set.of("bad " + i), true, asked)));
        graph.await();
        long before = asked.get();
        for (int i = 0; i < 100; i++) {
            graph.task("put")
                    .accesses(map, new Keyed(Set.of("good " + i), true, asked))
                    .run(context -> {});
            graph.await();
        }
        long perStep = (asked.get() - before) / 100;
        assertTrue(perStep <= 50, perStep + " questions for each step on other keys");
        Task<?> reads = graph.task("reads")
                .accesses(map, new Keyed(Set.of("bad 7"), false, asked))
                .run(context -> {});
        assertMentions(assertThrows(TaskFailedException.class, reads::join), "\"step\" failed", "no such record");
    }

    @Test
    void laterReadersLearnTheTaskAndTheMessageOfAFailureThatWasTold() {
        Handle<int[]> x = session.wrap("x", new int[1]);
        Task<?> bad = graph.task("bad").updates(x).run(context -> {
            throw new IllegalStateException("no such record", new Exception("its cause"));
        });
        TaskFailedException told = assertThrows(TaskFailedException.class, graph::await);
        assertInstanceOf(IllegalStateException.class, told.getCause());
        Task<?> reads = graph.task("reads").reads(x).run(context -> {});
        TaskFailedException again = assertThrows(TaskFailedException.class, reads::join);
        assertEquals("bad", again.task());
        assertMentions(
                again,
                "task \"bad\" failed: java.lang.IllegalStateException: no such record",
                "so \"bad\" -> \"reads\" was cancelled");
        assertInstanceOf(PastFailureException.class, again.getCause());
        assertEquals("java.lang.IllegalStateException: no such record", String.valueOf(again.getCause()));
        assertSame(
                told.getCause(),
                assertThrows(TaskFailedException.class, bad::join).getCause());
    }

    @Test
    void laterReadersHaveTheExceptionOfAFailureThatWasNotTold() {
        Handle<int[]> x = session.wrap("x", new int[1]);
        Task<?> bad = graph.task("bad").updates(x).run(context -> {
            throw new IllegalStateException("no such record");
        });
        while (!graph.isOver() || bad.state() == null) {
            Thread.onSpinWait();
        }
        Task<?> reads = graph.task("reads").reads(x).run(context -> {});
        assertInstanceOf(
                IllegalStateException.class,
                assertThrows(TaskFailedException.class, reads::join).getCause());
        graph.await(); // the failure was told
    }

    @Test
    void aTaskAfterATagWhoseMemberFailedIsCancelled() {
        graph.task("member").tag("assemble").run(context -> {
            throw new IllegalStateException("planned");
        });
        assertThrows(TaskFailedException.class, graph::await);
        System.gc();
        Task<?> solve = graph.task("solve").afterTag("assemble").run(context -> {});
        assertMentions(
                assertThrows(TaskFailedException.class, solve::join),
                "planned",
                "\"member\" -> \"solve\" was cancelled");
    }

    @ParameterizedTest
    @EnumSource(FailurePolicy.class)
    void graphsWhoseFailuresJoinHasToldKeepNothing(FailurePolicy policy) {
        assertGraphsKeepNothing(policy, answer -> assertThrows(TaskFailedException.class, answer::join));
    }

    @ParameterizedTest
    @EnumSource(FailurePolicy.class)
    void graphsWhoseFailuresAStageHasToldKeepNothing(FailurePolicy policy) {
        assertGraphsKeepNothing(
                policy,
                answer -> answer.stage()
                        .exceptionally(e -> null)
                        .toCompletableFuture()
                        .join());
    }

    private void assertGraphsKeepNothing(FailurePolicy policy, java.util.function.Consumer<Task<?>> ask) {
        int requests = 1_000;
        long bytes = LiveObjects.bytesKeptBy(() -> {
            for (int i = 0; i < requests; i++) {
                ask.accept(session.graph("request", policy).task("answer").call(context -> {
                    throw new IllegalArgumentException("no such customer");
                }));
            }
        });
        assertTrue(bytes < 100L * requests, bytes / requests + " bytes are kept for each graph");
    }

    @Test
    void graphsThatWereCancelledAndDroppedKeepNothing() {
        int requests = 1_000;
        long bytes = LiveObjects.bytesKeptBy(() -> {
            for (int i = 0; i < requests; i++) {
                TaskGraph request = session.graph("request", FailurePolicy.CONTINUE);
                request.cancel();
                Task<?> answer = request.task("answer").run(context -> {});
                assertThrows(CancellationException.class, answer::join);
            }
        });
        assertTrue(bytes < 100L * requests, bytes / requests + " bytes are kept for each graph");
    }

    @Test
    void aFailureThatIsNotToldIsToldByCloseThoughTheGraphIsDropped() {
        try (Session other = Session.builder().workers(2).open()) {
            failTwice(other);
            System.gc();
            assertMentions(assertThrows(TaskFailedException.class, other::close), "second");
        }
    }

    private static void failTwice(Session other) {
        TaskGraph request = other.graph("request", FailurePolicy.CONTINUE);
        Task<?> first = request.task("first").call(context -> {
            throw new IllegalArgumentException("first");
        });
        request.task("second").call(context -> {
            throw new IllegalArgumentException("second");
        });
        assertNotNull(assertThrows(TaskFailedException.class, first::join));
    }
}
