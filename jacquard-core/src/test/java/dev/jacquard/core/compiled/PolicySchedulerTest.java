package dev.jacquard.core.compiled;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.ReadyTask;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compiled graphs that a scheduling policy orders. */
@Timeout(120)
class PolicySchedulerTest {
    private final List<String> ran = new ArrayList<>();
    /** The last one first. */
    private final List<String> pushed = new ArrayList<>();

    private CompiledGraphBuilder independent(Session session, int tasks) {
        CompiledGraphBuilder builder = session.compile("graph");
        for (int i = 0; i < tasks; i++) {
            String name = "t" + i;
            builder.task(name, context -> ran.add(name));
        }
        return builder;
    }

    /** The newest first. */
    private final class Newest implements ReadyOrder {
        private final Deque<ReadyTask> ready = new ArrayDeque<>();

        @Override
        public void push(ReadyTask task) {
            pushed.addFirst(task.name());
            ready.push(task);
        }

        @Override
        public @Nullable ReadyTask pop(int worker) {
            return ready.poll();
        }
    }

    /** A policy that places whole graphs: the first place, one task after the other. */
    private record Planner(GraphPlacement graphPlacement) implements Policy {
        @Override
        public String name() {
            return "planner";
        }

        @Override
        public @Nullable ReadyOrder order() {
            return null;
        }
    }

    /** Returns a plan of independent tasks on the first place: the longest first, of equal ones the last. */
    private static Plan longestFirst(WorkGraph graph) {
        List<Integer> order = IntStream.range(0, graph.tasks())
                .boxed()
                .sorted(Comparator.comparingDouble((Integer task) -> -graph.cost(task, 0))
                        .thenComparingInt(task -> -task))
                .toList();
        double[] starts = new double[graph.tasks()];
        double[] ends = new double[graph.tasks()];
        double now = 0;
        for (int task : order) {
            starts[task] = now;
            now += graph.cost(task, 0);
            ends[task] = now;
        }
        return new Plan(new int[graph.tasks()], starts, ends, 0);
    }

    @Test
    void aPolicyWithAnOrderIsAScheduler() {
        Policy newest = Policies.with(Policies.named("fifo"), Newest::new, null);
        try (Session session = Session.builder().workers(1).open()) {
            CompiledGraph graph =
                    independent(session, 4).scheduler(Scheduler.of(newest)).build();
            graph.run();
            assertEquals(4, ran.size());
            assertEquals(pushed, ran);
            assertTrue(graph.toString().endsWith("scheduler \"fifo with another order\""), graph::toString);
            ran.clear();
            independent(session, 4)
                    .scheduler(Scheduler.of(Policies.named("sequential")))
                    .build()
                    .run();
            assertEquals(List.of("t0", "t1", "t2", "t3"), ran);
        }
    }

    /** By equal times first, then by those of the third run. */
    @Test
    void aPolicyThatPlacesGraphsOrdersTasksByTheStartsOfItsPlan() {
        AtomicLong now = new AtomicLong();
        List<String> plans = new ArrayList<>();
        Scheduler scheduler = Scheduler.of(new Planner((graph, limits) -> {
            plans.add(IntStream.range(0, graph.tasks())
                            .mapToObj(task -> graph.name(task) + " " + graph.cost(task, 0))
                            .toList()
                    + " on " + graph.places());
            return longestFirst(graph);
        }));
        try (Session session = Session.builder().workers(1).clock(now::get).open()) {
            CompiledGraphBuilder builder = session.compile("graph").scheduler(scheduler);
            long[] nanos = {2_000, 3_000, 1_000};
            for (int i = 0; i < nanos.length; i++) {
                String name = "t" + i;
                long its = nanos[i];
                builder.task(name, context -> {
                    ran.add(name);
                    now.addAndGet(its);
                });
            }
            CompiledGraph graph = builder.build();
            for (int run = 0; run < 5; run++) {
                ran.clear();
                graph.run();
                assertEquals(run < 3 ? List.of("t2", "t1", "t0") : List.of("t1", "t0", "t2"), ran, "run " + run);
            }
        }
        assertEquals(List.of("[t0 1.0, t1 1.0, t2 1.0] on 1", "[t0 2000.0, t1 3000.0, t2 1000.0] on 1"), plans);
    }

    @Test
    void aPolicyThatCannotScheduleIsRefused() {
        try (Session session = Session.builder().workers(2).open()) {
            CompiledGraphBuilder none = independent(session, 2).scheduler(Scheduler.of(Policies.named("stealing")));
            assertMentions(
                    assertThrows(IllegalArgumentException.class, none::build),
                    "policy \"stealing\" cannot schedule compiled graph \"graph\": it has neither an order");
            CompiledGraphBuilder wrong = independent(session, 2)
                    .scheduler(Scheduler.of(new Planner(
                            (graph, limits) -> new Plan(new int[2], new double[2], new double[] {1, 1}, 0))));
            assertMentions(
                    assertThrows(PolicyException.class, wrong::build),
                    "policy \"planner\" made a plan that does not hold: \"t1\" and \"t0\" overlap on worker 0");
        }
    }
}
