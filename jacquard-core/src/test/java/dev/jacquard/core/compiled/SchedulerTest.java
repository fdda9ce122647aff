package dev.jacquard.core.compiled;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.Scheduler.Dynamic;
import dev.jacquard.core.compiled.Scheduler.Fixed;
import dev.jacquard.core.compiled.Scheduler.Schedule;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.Frozen;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.testkit.Rounds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Graphs with schedules of their own, beside what the session's policy is. */
@Timeout(120)
class SchedulerTest {
    private final List<String> ran = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    /** A scheduler whose schedules are made by a function. */
    private record Named(String name, Function<GraphSnapshot, Schedule> maker) implements Scheduler {
        @Override
        public Schedule schedule(GraphSnapshot graph) {
            return maker.apply(graph);
        }
    }

    /** The newest first; notes what it is told. */
    private class Newest implements Dynamic {
        final Deque<ReadyTask> ready = new ArrayDeque<>();

        @Override
        public void begin() {
            told.add("begin");
        }

        @Override
        public void push(ReadyTask task) {
            ready.push(task);
        }

        @Override
        public @Nullable ReadyTask pop(int worker) {
            return ready.poll();
        }

        @Override
        public void finished(ReadyTask task) {
            told.add(task.id() + " " + task.name());
        }

        @Override
        public void end() {
            told.add("end");
        }
    }

    private static Scheduler of(Dynamic schedule) {
        return new Named("mine", graph -> schedule);
    }

    private CompiledGraphBuilder independent(Session session, int tasks) {
        CompiledGraphBuilder builder = session.compile("graph");
        for (int i = 0; i < tasks; i++) {
            String name = "t" + i;
            builder.task(name, context -> ran.add(name));
        }
        return builder;
    }

    // ---- orders

    @ParameterizedTest
    @CsvSource({"stealing", "fifo", "priority", "sequential"})
    void aGraphHasAnOrderOfItsOwnUnderEachPolicy(String policy) {
        try (Session session =
                Session.builder().workers(1).policy(Policies.named(policy)).open()) {
            CompiledGraph graph =
                    independent(session, 4).scheduler(of(new Newest())).build();
            graph.run();
            graph.run();
            assertEquals(ran.subList(0, 4), ran.subList(4, 8));
            assertEquals(List.of("t0", "t1", "t2", "t3"), ran.subList(0, 4));
            assertTrue(graph.toString().endsWith("; ordered by scheduler \"mine\""), graph::toString);
        }
    }

    @Test
    void aScheduleIsToldOfARunsBeginOfEachTaskAndOfItsEnd() {
        try (Session session = Session.builder().workers(1).open()) {
            CompiledGraphBuilder builder = independent(session, 2);
            int last = builder.task("fails", context -> {
                throw new IllegalStateException("planned");
            });
            builder.edge(0, last, true);
            CompiledGraph graph = builder.scheduler(of(new Newest())).build();
            assertEquals(List.of(), told);
            assertThrows(TaskFailedException.class, graph::run);
            assertEquals(List.of("begin", "0 t0", "1 t1", "end"), told);
        }
    }

    @Test
    void aScheduleIsMadeFromTheRecordedGraphAndWhenItIsRecordedAgain() {
        List<String> made = new ArrayList<>();
        Scheduler scheduler = new Named("mine", graph -> {
            graph.tasks().forEach(task -> made.add(task.id() + " " + task.name()));
            graph.edges().forEach(edge -> made.add(edge.earlier() + "-" + edge.later()));
            return new Newest();
        });
        try (Session session = Session.builder().workers(1).open()) {
            CompiledGraph inner = independent(session, 3).build();
            for (int i = 0; i < 2; i++) {
                CompiledGraphBuilder builder = session.compile("outer").scheduler(scheduler);
                builder.edge(builder.graph("inner", inner), builder.task("after", context -> ran.add("after")), true);
                CompiledGraph graph = builder.build();
                graph.run();
                graph.run();
                assertEquals(List.of("0 inner", "1 after", "0-1"), made);
                made.clear();
            }
            assertEquals(16, ran.size());
        }
    }

    /** Two chains; the head of one has many consumers besides. */
    @Test
    void priorityGoesByDepthAndConsumersThenByTimes() {
        AtomicLong now = new AtomicLong();
        try (Session session = Session.builder().workers(1).clock(now::get).open()) {
            CompiledGraphBuilder builder = session.compile("graph").scheduler(Scheduler.PRIORITY);
            int few = builder.task("few", context -> {
                ran.add("few");
                now.addAndGet(100_000);
            });
            int many = builder.task("many", context -> {
                ran.add("many");
                now.addAndGet(1_000);
            });
            builder.edge(few, builder.task("deep", context -> ran.add("deep")), true);
            for (int i = 0; i < 4; i++) {
                builder.edge(many, builder.task("after", context -> ran.add("after")), true);
            }
            CompiledGraph graph = builder.build();
            graph.run();
            assertEquals(List.of("many", "few"), ran.subList(0, 2));
            graph.run();
            ran.clear();
            graph.measure(false); // the scheduler needs the times all the same
            graph.run();
            assertEquals(List.of("few", "many"), ran.subList(0, 2));
            assertEquals(100_000, graph.snapshot().tasks().getFirst().weightNanos(), "a moving average of equal times");
        }
    }

    @Test
    void topologicalGoesByNumberThroughNoQueue() {
        try (Session session = Session.builder().workers(3).open()) {
            AtomicInteger running = new AtomicInteger();
            CompiledGraphBuilder builder = session.compile("graph").scheduler(Scheduler.TOPOLOGICAL);
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                String name = "t" + i;
                expected.add(name);
                builder.task(name, context -> {
                    assertEquals(1, running.incrementAndGet());
                    ran.add(name);
                    running.decrementAndGet();
                });
            }
            CompiledGraph graph = builder.build();
            for (int run = 0; run < 50; run++) {
                graph.run();
                assertEquals(expected, ran);
                ran.clear();
            }
        }
    }

    @Test
    void ordersHoldWhereFewTasksMayRun() {
        try (Session session = Session.builder().workers(4).open()) {
            List<String> popped = Collections.synchronizedList(new ArrayList<>());
            CompiledGraphBuilder builder = session.compile("graph").scheduler(of(new Newest() {
                @Override
                public @Nullable ReadyTask pop(int worker) {
                    ReadyTask next = super.pop(worker);
                    popped.add(Objects.requireNonNull(next).name());
                    return next;
                }
            }));
            int first = builder.task("first", context -> ran.add("first"));
            for (int i = 0; i < 50; i++) {
                String name = "t" + i;
                builder.edge(first, builder.task(name, context -> ran.add(name)), true); // one at a time: no race
            }
            CompiledGraph graph = builder.build();
            graph.threads(1, 4);
            for (int run = 0; run < 20; run++) {
                graph.run();
                assertEquals(51, Set.copyOf(ran).size());
                assertEquals(popped, ran);
                ran.clear();
                popped.clear();
            }
        }
    }

    // ---- all that graphs have

    private static Scheduler scheduler(String name) {
        return switch (name) {
            case "fifo", "minimum-load" -> Scheduler.of(Policies.named(name));
            case "newest" -> new Named("newest", graph -> new SchedulerTest().new Newest());
            default -> Scheduler.named(name);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "priority,1",
        "priority,2",
        "priority,8",
        "topological,1",
        "topological,3",
        "newest,2",
        "fifo,2",
        "minimum-load,3"
    })
    void randomGraphsEndAsTheirSequentialRunsDo(String name, int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Rounds.run(300, seed -> {
                Frozen frozen = Frozen.nesting(seed).scheduledBy(scheduler(name));
                CompiledGraph graph = frozen.compile(session, session.executor());
                if (seed % 3 == 0) {
                    graph.threads(1 + seed % 4, 1);
                }
                for (int run = 0; run < 20; run++) {
                    RandomGraphsTest.runOnce(frozen, graph);
                }
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"priority,2", "topological,2"})
    void aRunIsCancelledAtAnyMomentAndTheNextIsNot(String name, int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Frozen frozen = Frozen.nesting(17).scheduledBy(scheduler(name));
            RandomGraphsTest.cancelAtAnyMoment(frozen, frozen.compile(session, session.executor()), 5_000);
        }
    }

    // ---- mistakes

    private void assertMistake(Dynamic schedule, String message) {
        try (Session session = Session.builder().workers(2).open()) {
            CompiledGraph graph =
                    independent(session, 3).scheduler(of(schedule)).build();
            for (int run = 0; run < 2; run++) {
                PolicyException e = assertThrows(PolicyException.class, graph::run);
                assertMentions(e, message);
                assertEquals("mine", e.policy());
            }
            ran.clear();
            independent(session, 1).build().run(); // the session goes on
            assertEquals(List.of("t0"), ran);
        }
    }

    @Test
    void aScheduleThatBreaksItsRulesEndsTheRun() {
        assertMistake(
                new Newest() {
                    @Override
                    public @Nullable ReadyTask pop(int worker) {
                        return null;
                    }
                },
                "scheduler \"mine\" keeps 3 ready tasks of graph \"graph\" back: pop must answer one of them");
        assertMistake(
                new Newest() {
                    @Override
                    public @Nullable ReadyTask pop(int worker) {
                        return ready.peek();
                    }
                },
                "which was taken out before");
        Newest other = new Newest();
        try (Session session = Session.builder().workers(2).open()) {
            CompiledGraph graph = independent(session, 2)
                    .scheduler(of(new Newest() {
                        @Override
                        public void push(ReadyTask task) {
                            other.push(task);
                        }

                        @Override
                        public @Nullable ReadyTask pop(int worker) {
                            return null;
                        }
                    }))
                    .build();
            assertThrows(PolicyException.class, graph::run);
        }
        assertMistake(
                new Newest() {
                    @Override
                    public @Nullable ReadyTask pop(int worker) {
                        return other.ready.peek();
                    }
                },
                "which was never ready here: it belongs to another session or graph, which must have its own order");
        assertMistake(
                new Newest() {
                    @Override
                    public @Nullable ReadyTask pop(int worker) {
                        return new ReadyTask() {};
                    }
                },
                "scheduler \"mine\" returned task \"node\", which is no task of graph \"graph\"");
        assertMistake(
                new Newest() {
                    @Override
                    public void push(ReadyTask task) {
                        throw new UnsupportedOperationException("planned");
                    }
                },
                "threw from push of task \"t");
        assertMistake(
                new Newest() {
                    @Override
                    public void finished(ReadyTask task) {
                        throw new UnsupportedOperationException("planned");
                    }
                },
                "threw from finished of task \"t");
        assertMistake(
                new Newest() {
                    @Override
                    public void end() {
                        throw new UnsupportedOperationException("planned");
                    }
                },
                "threw from end: java.lang.UnsupportedOperationException: planned");
    }

    @Test
    void fixedSchedulesThatDoNotFitAreRefused() {
        try (Session session = Session.builder().workers(1).open()) {
            assertRefused(session, List.of(0, 1), "lacks task 2 (\"t2\")");
            assertRefused(session, List.of(0, 1, 1), "has task 1 twice");
            assertRefused(session, List.of(0, 1, 3), "has task 3 too much");
            assertRefused(session, List.of(0, 2, 1), "has task 2 (\"t2\") before task 1 (\"t1\"), for which it waits");
            CompiledGraphBuilder right = independent(session, 3).scheduler(fixed(List.of(1, 0, 2)));
            right.edge(1, 2, true);
            right.build().run();
            assertEquals(List.of("t1", "t0", "t2"), ran);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // wrong on purpose
    void noScheduleIsRefused() {
        Scheduler none = new Scheduler() {
            @Override
            public String name() {
                return "none";
            }

            @Override
            public Schedule schedule(GraphSnapshot graph) {
                return null;
            }
        };
        try (Session session = Session.builder().workers(1).open()) {
            CompiledGraphBuilder builder = independent(session, 3).scheduler(none);
            assertEquals(
                    "scheduler \"none\" made no schedule of compiled graph \"graph\", but null",
                    assertThrows(IllegalArgumentException.class, builder::build).getMessage());
        }
    }

    private void assertRefused(Session session, List<Integer> order, String message) {
        CompiledGraphBuilder builder = independent(session, 3).scheduler(fixed(order));
        builder.edge(1, 2, true);
        assertMentions(
                assertThrows(IllegalArgumentException.class, builder::build),
                "scheduler \"fixed\": the schedule of compiled graph \"graph\" " + message);
    }

    private static Scheduler fixed(List<Integer> order) {
        return new Named("fixed", graph -> new Fixed(order));
    }

    @Test
    void unknownNamesAreRefused() {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> Scheduler.named("prority")),
                "there is no scheduler \"prority\", but priority, topological; did you mean 'priority'?");
    }
}
