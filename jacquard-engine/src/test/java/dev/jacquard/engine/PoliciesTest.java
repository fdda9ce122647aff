package dev.jacquard.engine;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the built-in policies promise, and that the engine keeps nodes and workers apart from them. */
@Timeout(180)
class PoliciesTest {
    private static final ExecutionTarget FPGA = ExecutionTarget.named("fpga");

    static List<Policy> policies() {
        return Policies.all();
    }

    // ---- every policy

    @ParameterizedTest
    @MethodSource("policies")
    void nodesFromEverywhereRunOnceEach(Policy policy) {
        AtomicInteger ran = new AtomicInteger();
        try (Engine engine = engine(3, policy)) {
            CompletableFuture<Void> other = onThread(() -> {
                for (int i = 0; i < 200; i++) {
                    engine.ready(tree(2, ran));
                }
            });
            for (int i = 0; i < 200; i++) {
                engine.ready(tree(2, ran));
            }
            await(engine, () -> ran.get() == 400 * 7);
            other.join();
            assertEquals(400 * 7, ran.get());
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void mainNodesAndThoseOfTargetsStayOnTheirThreads(Policy policy) {
        Set<Integer> runners = ConcurrentHashMap.newKeySet();
        AtomicInteger ran = new AtomicInteger();
        EngineOptions options = EngineOptions.of(2)
                .withPlaces(SeededSchedule.places(Map.of(FPGA, 1)))
                .withPolicy(policy);
        try (Engine engine = new Engine(options, new Trace(Clock.system(), 0)).start()) {
            Place fpga = Objects.requireNonNull(engine.place(FPGA));
            for (int i = 0; i < 100; i++) {
                engine.ready(new Scripted("main", Place.MAIN, worker -> {
                    runners.add(worker.index());
                    worker.readyAtEnd(new Scripted(
                            "host",
                            Place.HOST,
                            host -> host.readyAtEnd(new Scripted("fpga", fpga, last -> {
                                runners.add(10 + last.index());
                                ran.incrementAndGet();
                            }))));
                }));
            }
            await(engine, () -> ran.get() == 100);
        }
        assertEquals(Set.of(0, 12), runners);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void anEndlessChainLeavesOthersTheirTurn(Policy policy) {
        AtomicBoolean stop = new AtomicBoolean();
        try (Engine engine = engine(1, policy)) {
            engine.ready(new Scripted("again", Place.HOST, worker -> {}) {
                @Override
                public void run(WorkerContext worker) {
                    if (!stop.get()) {
                        worker.readyAtEnd(this);
                    }
                }
            });
            engine.ready(node("stop", worker -> stop.set(true)));
            await(engine, stop::get);
        }
    }

    // ---- each its own

    @Test
    void fifoRunsWhatWasReadyFirst() {
        assertEquals(List.of("a", "b", "c", "d"), order(Policies.named("fifo"), "a", "b", "c", "d"));
    }

    @Test
    void sequentialRunsInTheOrderOfSubmissionOnTheFirstWorker() {
        List<String> ran = new ArrayList<>();
        List<Node> nodes = new ArrayList<>();
        for (int id : new int[] {3, 1, 2, 0}) {
            nodes.add(new Scripted("t" + id, Place.HOST, worker -> ran.add("t" + id + " on " + worker.index())) {
                @Override
                public long id() {
                    return id;
                }

                @Override
                public int priority() {
                    return id;
                }
            });
        }
        run(3, Policies.named("sequential"), nodes, ran);
        assertEquals(List.of("t0 on 0", "t1 on 0", "t2 on 0", "t3 on 0"), ran);
    }

    @Test
    void priorityAsksTheUserThenTheGraph() {
        List<String> ran = new ArrayList<>();
        run(
                1,
                Policies.named("priority"),
                List.of(
                        ranked("deep", 0, 3, 2, ran),
                        ranked("shallow", 0, 0, 2, ran),
                        ranked("consumed", 0, 0, 5, ran),
                        ranked("urgent", 1, 9, 0, ran)),
                ran);
        assertEquals(List.of("urgent", "consumed", "shallow", "deep"), ran);
    }

    @Test
    void priorityLearnsWhichTasksAreHeavy() {
        AtomicLong now = new AtomicLong();
        List<String> ran = new ArrayList<>();
        EngineOptions options = EngineOptions.of(1).withPolicy(Policies.named("priority"));
        try (Engine engine = new Engine(options, new Trace(now::get, 0)).start()) {
            for (int round = 0; round < 2; round++) {
                ran.clear();
                for (int i = 1; i <= 3; i++) {
                    int nanos = i * 1000;
                    engine.ready(node("takes " + nanos, worker -> {
                        now.addAndGet(nanos);
                        ran.add("takes " + nanos);
                    }));
                }
                await(engine, () -> ran.size() == 3);
                assertEquals(
                        round == 0
                                ? List.of("takes 1000", "takes 2000", "takes 3000")
                                : List.of("takes 3000", "takes 2000", "takes 1000"),
                        ran);
            }
        }
    }

    @Test
    void pinnedKeepsEachTaskOnItsWorker() {
        Map<Object, Set<Integer>> workers = new ConcurrentHashMap<>();
        AtomicInteger ran = new AtomicInteger();
        try (Engine engine = engine(3, Policies.named("pinned"))) {
            for (int i = 0; i < 300; i++) {
                int which = i % 10;
                engine.ready(
                        new Scripted("t" + which, Place.HOST, worker -> {
                            workers.computeIfAbsent(which, any -> ConcurrentHashMap.newKeySet())
                                    .add(worker.index());
                            ran.incrementAndGet();
                        }) {
                            @Override
                            public int affinity() {
                                return which < 5 ? which : -1;
                            }
                        });
            }
            await(engine, () -> ran.get() == 300);
        }
        workers.values().forEach(each -> assertEquals(1, each.size(), workers.toString()));
        for (int which = 0; which < 5; which++) {
            assertEquals(Set.of(which % 3), workers.get(which));
        }
        assertTrue(workers.values().stream().distinct().count() > 1, "all on one worker: " + workers);
    }

    @Test
    void roundRobinDealsTasksOut() {
        SeededSchedule schedule = new SeededSchedule(1, 3, Policies.named("round-robin"));
        for (int i = 0; i < 9; i++) {
            schedule.engine().ready(node("t", worker -> {}));
        }
        for (int worker = 0; worker < 3; worker++) {
            assertEquals(3, orders(schedule).tasks(orders(schedule).places().get(worker)));
        }
    }

    @Test
    void minimumLoadWeighsExpectedTimes() {
        AtomicLong now = new AtomicLong();
        EngineOptions options = EngineOptions.of(2).withPolicy(Policies.named("minimum-load"));
        Engine engine = new Engine(options, new Trace(now::get, 0));
        Worker[] workers = engine.pool().crew.all();
        engine.ready(node("long", worker -> now.addAndGet(1_000)));
        engine.ready(node("short", worker -> now.addAndGet(100)));
        PolicyQueues orders = Objects.requireNonNull(engine.pool().scheduler).orders;
        assertEquals(1, orders.tasks(orders.places().get(0)));
        assertEquals(1, orders.tasks(orders.places().get(1)));
        assertEquals(Step.RAN, workers[0].step());
        assertEquals(Step.RAN, workers[1].step());
        assertEquals(
                0,
                orders.tasks(orders.places().get(0))
                        + orders.tasks(orders.places().get(1)));
        engine.ready(node("long", worker -> {}));
        for (int i = 0; i < 9; i++) {
            engine.ready(node("short", worker -> {}));
        }
        assertEquals(1, orders.tasks(orders.places().get(0)));
        assertEquals(9, orders.tasks(orders.places().get(1)));
        assertEquals(1_000, orders.queuedNanos(orders.places().get(0)));
        assertEquals(900, orders.queuedNanos(orders.places().get(1)));
        engine.close();
    }

    // ---- the opener's worker while the opener is away

    @Test
    void othersRunWhatWasPlacedOnTheOpenerWhileItDoesSomethingElse() {
        AtomicInteger ran = new AtomicInteger();
        Policy allOnFirst = Policies.with(
                Policies.named("fifo"),
                null,
                (task, machine) -> machine.places().getFirst());
        try (Engine engine = engine(2, allOnFirst)) {
            for (int i = 0; i < 50; i++) {
                engine.ready(node("t", worker -> ran.incrementAndGet()));
            }
            Watchdog.until(() -> ran.get() == 50, "the other worker runs all");
        }
    }

    @Test
    void whatTheOpenerLeavesBehindOthersRun() {
        AtomicInteger ran = new AtomicInteger();
        AtomicBoolean begun = new AtomicBoolean();
        Policy allOnFirst = Policies.with(
                Policies.named("fifo"),
                null,
                (task, machine) -> machine.places().getFirst());
        try (Engine engine =
                new Engine(new EngineOptions(2, 0).withPolicy(allOnFirst), new Trace(Clock.system(), 0)).start()) {
            CountDownLatch together = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                engine.ready(node("both", worker -> {
                    together.countDown();
                    Watchdog.until(() -> together.getCount() < 2, "one of them runs");
                    for (int j = 0; j < 20; j++) {
                        worker.ready(node("t", other -> ran.incrementAndGet()));
                    }
                    begun.set(true);
                }));
            }
            await(engine, begun::get);
            Watchdog.until(() -> ran.get() >= 20, "the other worker runs what was left");
            await(engine, () -> ran.get() == 40);
        }
    }

    // ---- what a policy is told

    @Test
    void exclusivePoliciesAreCalledOneAtATime() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        class Watched implements ReadyOrder {
            private final ReadyOrder order =
                    Objects.requireNonNull(Policies.named("fifo").order());

            @Override
            public void push(ReadyTask task) {
                enter();
                order.push(task);
                inside.decrementAndGet();
            }

            @Override
            public @Nullable ReadyTask pop(int worker) {
                enter();
                ReadyTask task = order.pop(worker);
                inside.decrementAndGet();
                return task;
            }

            private void enter() {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            }
        }
        AtomicInteger ran = new AtomicInteger();
        try (Engine engine = engine(4, Policies.with(Policies.named("fifo"), Watched::new, null))) {
            for (int i = 0; i < 100; i++) {
                engine.ready(tree(5, ran));
            }
            await(engine, () -> ran.get() == 100 * 63);
        }
        assertEquals(1, most.get());
    }

    @Test
    void submissionsAreToldToThoseWhoNeedThem() {
        List<String> told = new ArrayList<>();
        Policy listening = new Policy() {
            @Override
            public String name() {
                return "listening";
            }

            @Override
            public Set<Need> needs() {
                return Set.of(Need.SUBMISSIONS, Need.EXCLUSIVE_CALLS);
            }

            @Override
            public ReadyOrder order() {
                return Objects.requireNonNull(Policies.named("fifo").order());
            }

            @Override
            public void submitted(ReadyTask task, Edges edges) {
                told.add(task.name());
                edges.after(task);
            }
        };
        List<ReadyTask> earlier = new ArrayList<>();
        Node node = node("told", worker -> {});
        try (Engine engine = engine(1, listening)) {
            assertTrue(engine.policyQuestions().submissions());
            engine.submitted(node, earlier::add);
        }
        assertEquals(List.of("told"), told);
        assertEquals(List.of(node), earlier);
    }

    // ---- names

    @Test
    void policiesAreFoundByName() {
        for (Policy policy : Policies.all()) {
            assertEquals(policy.getClass(), Policies.named(policy.name()).getClass());
        }
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> Policies.named("fifi")),
                "there is no policy \"fifi\"; did you mean \"fifo\"?",
                "stealing, sequential, fifo, priority, pinned, round-robin, minimum-load");
    }

    @Test
    void aPolicyWithAnotherOrderPlansWholeGraphsAsBefore() {
        Policy heft = Policies.named("heft");
        Policy changed = Policies.with(
                heft, () -> Objects.requireNonNull(Policies.named("fifo").order()), null);
        assertNotNull(heft.graphPlacement());
        assertSame(heft.graphPlacement(), changed.graphPlacement());
    }

    // ---- helpers

    private static PolicyQueues orders(SeededSchedule schedule) {
        return Objects.requireNonNull(schedule.engine().pool().scheduler).orders;
    }

    private static Engine engine(int workers, Policy policy) {
        return new Engine(EngineOptions.of(workers).withPolicy(policy), new Trace(Clock.system(), 0)).start();
    }

    private static List<String> order(Policy policy, String... names) {
        List<String> ran = new ArrayList<>();
        List<Node> nodes = new ArrayList<>();
        for (String name : names) {
            nodes.add(node(name, worker -> ran.add(name)));
        }
        run(1, policy, nodes, ran);
        return ran;
    }

    private static void run(int workers, Policy policy, List<Node> nodes, List<String> ran) {
        try (Engine engine = engine(workers, policy)) {
            nodes.forEach(engine::ready);
            await(engine, () -> ran.size() == nodes.size());
        }
    }

    private static Node ranked(String name, int priority, int depth, int consumers, List<String> ran) {
        return new Scripted(name, Place.HOST, worker -> ran.add(name)) {
            @Override
            public int priority() {
                return priority;
            }

            @Override
            public int depth() {
                return depth;
            }

            @Override
            public int consumers() {
                return consumers;
            }
        };
    }

    private static Node node(String name, Consumer<WorkerContext> body) {
        return new Scripted(name, Place.HOST, body);
    }

    /** A node that makes two of its kind ready, one now and one at its end, down to depth 0. */
    private static Node tree(int depth, AtomicInteger ran) {
        return node("tree", worker -> {
            if (depth > 0) {
                worker.ready(tree(depth - 1, ran));
                worker.readyAtEnd(tree(depth - 1, ran));
            }
            ran.incrementAndGet();
        });
    }

    private static void await(Engine engine, BooleanSupplier done) {
        try {
            engine.awaitUntil(done);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static CompletableFuture<Void> onThread(Runnable action) {
        return CompletableFuture.runAsync(action, task -> new Thread(task).start());
    }
}
