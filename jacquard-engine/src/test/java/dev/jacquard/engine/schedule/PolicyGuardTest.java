package dev.jacquard.engine.schedule;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.work.GuardedTask;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of a policy's calls, without an engine: one thread, no clock. */
class PolicyGuardTest {
    private static final class Job extends GuardedTask {
        private final String name;

        Job(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }
    }

    /** Workers with tasks of equal length. */
    private static final class Workers implements MachineState {
        private final List<Place> places;
        private final int[] tasks;

        Workers(int count) {
            places = IntStream.range(0, count).mapToObj(Place::worker).toList();
            tasks = new int[count];
        }

        @Override
        public List<Place> places() {
            return places;
        }

        @Override
        public int tasks(Place place) {
            return tasks[place.number()];
        }

        @Override
        public double queuedNanos(Place place) {
            return tasks(place);
        }

        @Override
        public double runNanos(ReadyTask task, Place place) {
            return -1;
        }

        @Override
        public double dataNanos(ReadyTask task, Place place) {
            return 0;
        }

        @Override
        public long missingBytes(ReadyTask task, Place place) {
            return 0;
        }

        @Override
        public long bytes(ReadyTask task) {
            return 0;
        }

        @Override
        public boolean isAway(Place place) {
            return false;
        }
    }

    /** First in, first out; tests put wrong methods in place of these. */
    private static class Queue implements ReadyOrder {
        final Deque<ReadyTask> ready = new ArrayDeque<>();

        @Override
        public void push(ReadyTask task) {
            ready.add(task);
        }

        @Override
        public @Nullable ReadyTask pop(int worker) {
            return ready.poll();
        }
    }

    private static class Own implements Policy {
        private final Supplier<@Nullable ReadyOrder> orders;
        private final @Nullable Placement placement;

        Own(Supplier<@Nullable ReadyOrder> orders, @Nullable Placement placement) {
            this.orders = orders;
            this.placement = placement;
        }

        @Override
        public String name() {
            return "own";
        }

        @Override
        public @Nullable ReadyOrder order() {
            return orders.get();
        }

        @Override
        public @Nullable Placement placement() {
            return placement;
        }
    }

    private static PolicyGuard<Job> guard(Policy policy) {
        return new PolicyGuard<>(policy, "the test");
    }

    private static PolicyGuard<Job>.Order one(ReadyOrder order) {
        return guard(new Own(() -> order, null)).orders(2).getFirst();
    }

    private static void assertBreach(Runnable call, @Nullable String task, String message) {
        PolicyException e = assertThrows(PolicyException.class, call::run);
        assertEquals("policy \"own\" " + message, e.getMessage());
        assertEquals(Optional.ofNullable(task), e.task());
        assertEquals("own", e.policy());
    }

    static List<Policy> policies() {
        return Policies.all().stream().filter(policy -> policy.order() != null).toList();
    }

    /** Random pushes and pops: what goes in comes out once. */
    @ParameterizedTest
    @MethodSource("policies")
    void everyTaskThatIsPushedComesOutOnce(Policy policy) {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            int workers = 1 + random.nextInt(4);
            PolicyGuard<Job> guard = guard(random.nextBoolean() ? policy : Policies.exclusive(policy));
            List<PolicyGuard<Job>.Order> orders = guard.orders(workers);
            assertEquals(guard.placesWorkers() ? workers : 1, orders.size());
            Workers machine = new Workers(workers);
            List<Job> out = new ArrayList<>();
            int pushed = 0;
            while (out.size() < 100) {
                if (pushed < 100 && random.nextBoolean()) {
                    Job job = new Job("j" + pushed++);
                    int at = guard.placesWorkers() ? guard.place(job, machine).number() : 0;
                    machine.tasks[at]++;
                    orders.get(at).push(job);
                } else {
                    PolicyGuard<Job>.Order order = orders.get(random.nextInt(orders.size()));
                    long version = order.version();
                    Job job = order.pop(orders.size() == 1 ? random.nextInt(workers) : order.number());
                    assertEquals(job == null ? version : version + 1, order.version());
                    if (job != null) {
                        out.add(job);
                    }
                }
                long waiting =
                        orders.stream().mapToLong(PolicyGuard.Order::waiting).sum();
                assertEquals(pushed - out.size(), waiting, "seed " + seed);
            }
            assertEquals(100, Set.copyOf(out).size(), "seed " + seed);
        }
    }

    @Test
    void anEmptyOrderIsNotAsked() {
        PolicyGuard<Job>.Order order = one(new Queue() {
            @Override
            public @Nullable ReadyTask pop(int worker) {
                return Objects.requireNonNull(super.pop(worker), "asked without a task");
            }
        });
        assertNull(order.pop(0));
        order.push(new Job("a"));
        assertNotNull(order.pop(0));
        assertNull(order.pop(0));
    }

    @Test
    void nullIsNoBreachUntilTheCallerKnowsThatNothingRuns() {
        PolicyGuard<Job> guard = guard(new Own(
                () -> new Queue() {
                    @Override
                    public @Nullable ReadyTask pop(int worker) {
                        return worker == 1 ? super.pop(worker) : null;
                    }
                },
                null));
        PolicyGuard<Job>.Order order = guard.orders(2).getFirst();
        Job job = new Job("a");
        order.push(job);
        assertNull(order.pop(0));
        assertEquals(1, order.waiting());
        assertEquals(
                "policy \"own\" keeps 1 ready task back: all workers are idle, and pop answers null to each of them",
                guard.keepsBack(order.waiting()).getMessage());
        assertMentions(guard.keepsBack(3), "keeps 3 ready tasks back");
        assertSame(job, order.pop(1));
    }

    @Test
    void aTaskComesOutTwice() {
        Job job = new Job("a");
        PolicyGuard<Job>.Order order = one(new Queue() {
            @Override
            public @Nullable ReadyTask pop(int worker) {
                return job;
            }
        });
        order.push(job);
        order.push(new Job("b"));
        assertSame(job, order.pop(0));
        assertBreach(() -> order.pop(0), "a", "returned task \"a\", which was taken out before");
        order.push(job); // it may go in again
        assertSame(job, order.pop(0));
    }

    @Test
    void aTaskThatWasNotPushedComesOut() {
        Queue queue = new Queue();
        PolicyGuard<Job>.Order order = one(queue);
        order.push(new Job("a"));
        queue.ready.addFirst(new Job("never"));
        assertBreach(() -> order.pop(0), "never", "returned task \"never\", which was never ready");
        queue.ready.addFirst(new ReadyTask() {});
        assertBreach(() -> order.pop(0), "node", "returned task \"node\", which is no task of the test");
        queue.ready.addFirst(new ReadyTask() {
            @Override
            public String name() {
                throw new UnsupportedOperationException("planned");
            }
        });
        assertBreach(
                () -> order.pop(0),
                null,
                "returned a task whose name() throws: java.lang.UnsupportedOperationException: planned");
    }

    @Test
    void aTaskOfAnotherOrderComesOut() {
        List<Queue> made = new ArrayList<>();
        PolicyGuard<Job> guard = guard(new Own(
                () -> {
                    made.add(new Queue());
                    return made.getLast();
                },
                (task, machine) -> machine.places().getFirst()));
        List<PolicyGuard<Job>.Order> orders = guard.orders(2);
        Job job = new Job("a");
        orders.get(0).push(job);
        orders.get(1).push(new Job("b"));
        made.get(1).ready.addFirst(job);
        assertBreach(() -> orders.get(1).pop(1), "a", "returned task \"a\", which is in order 0");
        PolicyGuard<Job>.Order other = one(made.get(0));
        other.push(new Job("c"));
        assertBreach(
                () -> other.pop(0),
                "a",
                "returned task \"a\", which was never ready here: it belongs to another session or graph, which must"
                        + " have its own order");
    }

    @Test
    void exceptionsNameTheCall() {
        IllegalStateException planned = new IllegalStateException("planned");
        Queue throwing = new Queue() {
            @Override
            public void push(ReadyTask task) {
                super.push(task);
                if (task.name().equals("wrong")) {
                    throw planned;
                }
            }

            @Override
            public @Nullable ReadyTask pop(int worker) {
                throw planned;
            }
        };
        Policy policy =
                new Own(() -> throwing, (task, machine) -> {
                    throw planned;
                }) {
                    @Override
                    public void submitted(ReadyTask task, Edges edges) {
                        throw planned;
                    }

                    @Override
                    public long rank(ReadyTask task) {
                        throw planned;
                    }
                };
        String end = ": java.lang.IllegalStateException: planned";
        Job job = new Job("wrong");
        PolicyGuard<Job> guard = guard(policy);
        PolicyGuard<Job>.Order order = guard.orders(1).getFirst();
        assertBreach(() -> order.push(job), "wrong", "threw from push of task \"wrong\"" + end);
        assertEquals(0, order.waiting());
        order.push(new Job("right"));
        assertBreach(() -> order.pop(0), null, "threw from pop" + end);
        assertBreach(() -> guard.place(job, new Workers(1)), "wrong", "threw from place of task \"wrong\"" + end);
        assertBreach(
                () -> guard.submitted(job, earlier -> {}), "wrong", "threw when task \"wrong\" was submitted" + end);
        assertBreach(() -> guard.rank(job), "wrong", "threw from rank of task \"wrong\"" + end);
    }

    @Test
    void placesAreAmongTheOffered() {
        Placement placement = (task, machine) -> Place.worker(3);
        PolicyGuard<Job> guard = guard(new Own(Queue::new, placement));
        assertBreach(
                () -> guard.place(new Job("a"), new Workers(2)),
                "a",
                "placed task \"a\" on worker 3; the places were worker 0, worker 1");
        assertEquals(
                Place.worker(0).name(),
                guard(new Own(Queue::new, null))
                        .place(new Job("a"), new Workers(2))
                        .name());
    }

    private static PolicyGuard<Job> planner(GraphPlacement placement) {
        return guard(new Own(Queue::new, null) {
            @Override
            public GraphPlacement graphPlacement() {
                return placement;
            }
        });
    }

    @Test
    @SuppressWarnings("NullAway") // wrong on purpose
    void plansHold() {
        WorkGraph.Builder built = new WorkGraph.Builder(List.of("p"));
        built.task("a", 2);
        built.task("b", 3);
        WorkGraph graph = built.edge(0, 1, 0).build();
        Limits limits = new Limits(7, 0);
        PolicyGuard<Job> right = planner((its, given) -> {
            assertSame(limits, given);
            return new Plan(new int[2], new double[] {0, 2}, new double[] {2, 5}, 5);
        });
        assertTrue(right.placesGraphs());
        assertEquals(5, right.plan(graph, limits).makespan());
        assertBreach(
                () -> planner((its, any) -> new Plan(new int[2], new double[] {0, 1}, new double[] {2, 4}, 4))
                        .plan(graph, limits),
                null,
                "made a plan that does not hold: \"b\" starts at 1.0, and the data of \"a\" is there at 2.0");
        assertBreach(
                () -> planner((its, any) -> null).plan(graph, limits),
                null,
                "made a plan that does not hold: it is null");
        assertBreach(
                () -> planner((its, any) -> {
                            throw new IllegalStateException("planned");
                        })
                        .plan(graph, limits),
                null,
                "threw from plan: java.lang.IllegalStateException: planned");
        PolicyGuard<Job> none = guard(new Own(Queue::new, null));
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> none.plan(graph, limits)),
                "policy \"own\" places task by task");
    }

    @Test
    void aPlacementNeedsAnOrderForEachWorker() {
        Placement first = (task, machine) -> machine.places().getFirst();
        Queue one = new Queue();
        Queue two = new Queue();
        List<Queue> inTurn = new ArrayList<>(List.of(one, two, two));
        for (boolean exclusively : new boolean[] {false, true}) {
            Policy same = new Own(() -> one, first) {
                @Override
                public Set<Need> needs() {
                    return exclusively ? Set.of(Need.EXCLUSIVE_CALLS) : Set.of();
                }
            };
            assertRefused(Policies.exclusive(same), "must make an order for each worker, and made the same one again");
        }
        assertRefused(new Own(inTurn::removeFirst, first), "made the same one again");
        assertRefused(new Own(() -> null, first), "has a placement but no order");
        assertEquals(List.of(), guard(new Stealing()).orders(3));
        assertTrue(guard(new Stealing()).explanations().isEmpty());
    }

    private static void assertRefused(Policy policy, String message) {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> guard(policy).orders(3)), message);
    }
}
