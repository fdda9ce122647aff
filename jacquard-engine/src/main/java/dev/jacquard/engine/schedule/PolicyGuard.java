package dev.jacquard.engine.schedule;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.work.GuardedTask;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Calls a policy for one session, and holds it to its contract. A breach, and everything that the policy throws, is
 * thrown as a {@link PolicyException}; after that no call is to be made.
 *
 * <pre>
 *  task --place--> order of a worker, or of all --push--> ReadyOrder --pop--> task, out for the first time
 * </pre>
 *
 * <p>A pop returns only a task that was pushed to that order and is still in it, so each comes out once at most. That
 * none stays in for ever is for the caller to see, who knows the workers: when none runs a task, and each was answered
 * null since the last push or pop of {@link Order#version}, while {@link Order#waiting} tasks remain, the end is
 * {@link #keepsBack}.
 *
 * <p>There is no thread, lock, clock or sleep in it. The engine calls it from its workers. A simulator calls the same
 * methods from one thread, in the order of its virtual time, for tasks that extend {@link GuardedTask}:
 *
 * <pre>{@code
 * PolicyGuard<SimulatedTask> guard = new PolicyGuard<>(Policies.named("fifo"), "the simulation");
 * List<PolicyGuard<SimulatedTask>.Order> orders = guard.orders(workers);    // one, or one for each worker
 * int order = guard.placesWorkers() ? guard.place(task, machine).number() : 0;
 * orders.get(order).push(task);                                             // the task is ready
 * SimulatedTask next = orders.get(order).pop(worker);                       // null: nothing for that worker now
 * }</pre>
 *
 * <p>Threads: any, if calls of a policy that {@linkplain Need#EXCLUSIVE_CALLS needs} it exclude each other: see
 * {@link Policies#exclusive}. {@link #orders} is called once, before any push.
 *
 * @param <T> the tasks that go through the orders
 */
public final class PolicyGuard<T extends GuardedTask> {
    /** The number of orders made in this JVM, of all guards. */
    private static final AtomicInteger MADE = new AtomicInteger();

    private final Policy policy;
    /** True if the order is of a scheduler of one graph: exceptions call it so. */
    private final boolean isScheduler;

    private final String name;
    private final Set<Need> needs = EnumSet.noneOf(Need.class);
    private final String owner;
    private final boolean placesWorkers;
    private final Placement placement;
    private final @Nullable GraphPlacement graphs;
    /** Set once, before any push. */
    private List<Order> orders = List.of();

    /**
     * Creates the guard of a policy for one session.
     *
     * @param owner of the tasks, for messages, as the end of "which is no task of"
     * @throws IllegalArgumentException if the policy has null for its name or its needs
     */
    public PolicyGuard(Policy policy, String owner) {
        this(policy, owner, false);
    }

    private PolicyGuard(Policy policy, String owner, boolean isScheduler) {
        Policies.requireWhole(policy);
        this.policy = policy;
        this.isScheduler = isScheduler;
        this.name = policy.name();
        this.needs.addAll(policy.needs());
        this.owner = Objects.requireNonNull(owner, "owner");
        Placement own = policy.placement();
        this.placesWorkers = own != null;
        this.placement = own == null ? new EarliestFinish() : own;
        this.graphs = policy.graphPlacement();
    }

    /**
     * Returns the guard of the order that a scheduler made for one graph: exceptions name the scheduler.
     *
     * @param owner of the tasks, for messages, as the end of "which is no task of"
     */
    public static <T extends GuardedTask> PolicyGuard<T> ofScheduler(String scheduler, ReadyOrder order, String owner) {
        return new PolicyGuard<>(new GivenOrder(scheduler, order), owner, true);
    }

    /** An order without a policy. */
    private record GivenOrder(String name, ReadyOrder order) implements Policy {}

    /** Returns the name of the policy. */
    public String name() {
        return name;
    }

    /** Returns true if the policy asks for that service. */
    public boolean needs(Need need) {
        return needs.contains(need);
    }

    /** Returns true if the policy has a placement, which sends ready tasks to workers. */
    public boolean placesWorkers() {
        return placesWorkers;
    }

    /**
     * Makes the orders of the session: one for all workers; one for each, by number, if the policy
     * {@linkplain #placesWorkers places} tasks on them; none if it has no order.
     *
     * @throws IllegalArgumentException if it has a placement and no order, or not one for each worker
     */
    public List<Order> orders(int workers) {
        ReadyOrder first = policy.order();
        if (first == null && placesWorkers) {
            throw new IllegalArgumentException(
                    "policy \"" + name + "\" has a placement but no order: the workers' deques take no placement");
        }
        if (first == null) {
            return List.of();
        }
        List<Order> all = new ArrayList<>(List.of(new Order(0, first)));
        while (placesWorkers && all.size() < workers) {
            ReadyOrder order = policy.order();
            if (order == null || all.stream().anyMatch(other -> other.wraps(order))) {
                throw new IllegalArgumentException("policy \"" + name
                        + "\" has a placement, so it must make an order for each worker, and made "
                        + (order == null ? "none" : "the same one again"));
            }
            all.add(new Order(all.size(), order));
        }
        orders = List.copyOf(all);
        return orders;
    }

    /**
     * Returns where a task goes: by the policy's placement, or by {@link EarliestFinish} where it has none.
     *
     * @throws PolicyException if the placement throws, or answers a place that is not offered
     */
    public Place place(ReadyTask task, MachineState machine) {
        Place place;
        try {
            place = placement.place(task, machine);
        } catch (Throwable e) {
            throw threw("place", task, e);
        }
        if (!machine.isOffered(place)) {
            String offered = machine.places().stream().map(Place::name).collect(Collectors.joining(", "));
            throw breach(
                    task.name(),
                    "placed task \"" + task.name() + "\" on " + place + "; the places were " + offered,
                    null);
        }
        return place;
    }

    /** Returns true if the policy places whole graphs: see {@link Policy#graphPlacement}. */
    public boolean placesGraphs() {
        return graphs != null;
    }

    /**
     * Returns the policy's plan of a graph that is known before it runs.
     *
     * @throws IllegalArgumentException unless the policy {@linkplain #placesGraphs places graphs}
     * @throws PolicyException if it throws, or the plan does not hold: see {@link Plan#problem}
     */
    public Plan plan(WorkGraph graph, Limits limits) {
        if (graphs == null) {
            throw new IllegalArgumentException(
                    "policy \"" + name + "\" places task by task: it has no graphPlacement() for whole graphs");
        }
        Plan plan;
        try {
            plan = graphs.plan(graph, limits);
        } catch (Throwable e) {
            throw threw("plan", null, e);
        }
        String problem = plan == null ? "it is null" : plan.problem(graph);
        if (problem != null) {
            throw breach(null, "made a plan that does not hold: " + problem, null);
        }
        return plan;
    }

    /** Returns why the newest tasks went to one of several places, the last one last. */
    public List<Explanation> explanations() {
        return placement.explanations();
    }

    /**
     * Notifies the policy of a submission: see {@link Policy#submitted}.
     *
     * @throws PolicyException if it throws
     */
    public void submitted(ReadyTask task, Edges edges) {
        try {
            policy.submitted(task, edges);
        } catch (Throwable e) {
            throw breach(task.name(), "threw when task \"" + task.name() + "\" was submitted", e);
        }
    }

    /**
     * Returns the rank of a task among others that wait for the same resource: see {@link Policy#rank}.
     *
     * @throws PolicyException if the policy throws
     */
    public long rank(ReadyTask task) {
        try {
            return policy.rank(task);
        } catch (Throwable e) {
            throw threw("rank", task, e);
        }
    }

    /** Returns the breach of a policy that answers null to every worker while tasks wait and none runs. */
    public PolicyException keepsBack(long waiting) {
        return keeps(waiting, "", "all workers are idle, and pop answers null to each of them");
    }

    private PolicyException keeps(long waiting, String where, String breach) {
        return breach(
                null,
                "keeps " + waiting + " ready task" + (waiting == 1 ? "" : "s") + where + " back: " + breach,
                null);
    }

    /**
     * Returns the breach of a policy that threw from another call than those of the guard.
     *
     * @param call the name of the method
     * @param task its argument; null where there is none
     */
    public PolicyException threw(String call, @Nullable ReadyTask task, Throwable cause) {
        String its = task == null ? null : task.name();
        return breach(its, "threw from " + call + (its == null ? "" : " of task \"" + its + '"'), cause);
    }

    private PolicyException breach(@Nullable String task, String what, @Nullable Throwable cause) {
        return isScheduler
                ? PolicyException.ofScheduler(name, task, what, cause)
                : new PolicyException(name, task, what, cause);
    }

    /**
     * One of the policy's orders, with the tasks that it holds counted.
     *
     * <p>A task that goes in is counted after the policy has it, a task that comes out after the policy gave it away:
     * {@link #waiting} is never more than the number of tasks in the order.
     *
     * <p>Threads: any, as the policy allows.
     */
    public final class Order {
        private final int number;
        /**
         * The mark of the tasks in the order. Another one for each of the last 32,768 orders of the JVM, since a user
         * may give one order to two sessions by mistake: then neither runs the other's tasks.
         */
        private final int mark = MADE.getAndIncrement() & Short.MAX_VALUE;

        private final ReadyOrder order;

        /**
         * Read-modify-writes, which are full fences: each stands between the policy's own writes and the caller's look
         * at who sleeps.
         */
        private final AtomicLong pushed = new AtomicLong();

        private final AtomicLong popped = new AtomicLong();

        private Order(int number, ReadyOrder order) {
            this.number = number;
            this.order = order;
        }

        private boolean wraps(ReadyOrder other) {
            return OneByOne.bare(order) == OneByOne.bare(other);
        }

        /** Returns the worker of the order; 0 for the order of all. */
        public int number() {
            return number;
        }

        /**
         * A task is ready.
         *
         * @throws PolicyException if the policy throws
         */
        public void push(T task) {
            task.enter(mark);
            try {
                order.push(task);
            } catch (Throwable e) {
                throw threw("push", task, e);
            }
            pushed.getAndIncrement();
        }

        /**
         * Returns the task that {@code worker} is to run next; null when there is none for it. An order without tasks
         * is not asked.
         *
         * @throws PolicyException if the policy throws, or returns a task that is not in this order
         */
        public @Nullable T pop(int worker) {
            if (waiting() <= 0) {
                return null;
            }
            ReadyTask task;
            try {
                task = order.pop(worker);
            } catch (Throwable e) {
                throw threw("pop", null, e);
            }
            if (task == null) {
                return null;
            }
            if (!(task instanceof GuardedTask guarded) || !guarded.leave(mark)) {
                throw refused(task);
            }
            popped.getAndIncrement();
            @SuppressWarnings("unchecked") // it had the mark, so push(T) put it in
            T given = (T) guarded;
            return given;
        }

        /**
         * Returns the next task of an order that is asked only while it holds tasks, by a worker that may run each of
         * them.
         *
         * @throws PolicyException like {@link #pop}, and if the policy answers null
         */
        public T take(int worker) {
            T task = pop(worker);
            if (task == null) {
                throw keeps(waiting(), " of " + owner, "pop must answer one of them");
            }
            return task;
        }

        /** Returns true if the task was pushed to this order and has not come out. */
        public boolean holds(T task) {
            return task.isIn(mark);
        }

        private PolicyException refused(ReadyTask task) {
            String its;
            try {
                its = task.name();
            } catch (Throwable e) { // a task that the policy made up is users' code too
                return breach(null, "returned a task whose name() throws", e);
            }
            String where = task instanceof GuardedTask guarded ? whereabouts(guarded) : "is no task of " + owner;
            return breach(its, "returned task \"" + its + "\", which " + where, null);
        }

        private String whereabouts(GuardedTask task) {
            for (Order other : orders) {
                if (task.isIn(other.mark)) {
                    return "is in order " + other.number;
                }
            }
            return task.whereabouts();
        }

        /** Returns the number of tasks that wait; may be too low, or negative, during a push. */
        public long waiting() {
            long out = popped.get();
            return pushed.get() - out;
        }

        /** Returns the number of tasks that were pushed so far. */
        public long pushed() {
            return pushed.get();
        }

        /** Changes with every push and pop: an answer of the policy at one version need not hold at the next. */
        public long version() {
            return pushed.get() + popped.get();
        }
    }
}
