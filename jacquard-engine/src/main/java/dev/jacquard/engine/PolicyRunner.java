package dev.jacquard.engine;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.PolicyGuard;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy at work: holds the host's ready nodes in its orders instead of the workers' deques. The {@link PolicyGuard}
 * calls the policy; here are the threads: which worker wakes, sleeps and asks again. A breach of the policy's contract
 * ends the engine with a {@link PolicyException}; from then on no node goes in or comes out.
 *
 * <pre>
 *  any thread --push--> placement --> backlog of a worker, or of all --pop--> worker
 * </pre>
 *
 * <p>Sleep: who pushes counts it, which is a full fence, and then looks for sleepers; who sleeps says so, with a full
 * fence, and then compares the counts with the counts before its last pop. Of the two one sees the other. A push to a
 * worker's own backlog wakes that worker, or, while its thread is away, some other; a push to the backlog of all wakes
 * one that sleeps. Who takes a task and leaves others wakes the next, so a worker that is woken and finds nothing for
 * itself passes nothing over.
 *
 * <p>Stuck: the last worker to fall asleep sees that all sleep, that each was refused at the present version of its
 * backlog, and that tasks remain: then the policy will never return them.
 */
final class PolicyRunner {
    private final Ending ending;
    private final PolicyGuard<Node> guard;
    final PolicyQueues orders;
    /** The backlogs of {@link #orders}. */
    private final PolicyQueue[] backlogs;
    /** Null when the policy needs no times. */
    private final @Nullable TimeModel times;

    /** False when one order serves all workers. */
    private final boolean places;

    private final boolean inlines;
    private final boolean fixed;
    private final @Nullable Object turn;

    /** All workers, the host's first. Set once, before any thread runs. */
    private WorkerState[] workers = {};
    /** The host's workers that sleep. Set once, too. */
    private Sleepers sleepers = new Sleepers(workers);

    private PolicyRunner(
            Ending ending,
            PolicyGuard<Node> guard,
            List<PolicyGuard<Node>.Order> orders,
            int workers,
            TimeModel times) {
        this.ending = ending;
        this.guard = guard;
        this.places = guard.placesWorkers();
        this.inlines = !guard.needs(Need.NO_INLINE_SUCCESSORS);
        this.fixed = guard.needs(Need.FIXED_WORKERS);
        this.turn = guard.needs(Need.ONE_AT_A_TIME) ? new Object() : null;
        this.times = guard.needs(Need.TIMES) ? times : null;
        this.orders = new PolicyQueues(orders, workers, this.times);
        this.backlogs = this.orders.all;
    }

    /** Null for a policy without orders: the workers' deques serve. */
    static @Nullable PolicyRunner of(int workers, Ending ending, PolicyGuard<Node> guard, TimeModel times) {
        List<PolicyGuard<Node>.Order> orders = guard.orders(workers);
        return orders.isEmpty() ? null : new PolicyRunner(ending, guard, orders, workers, times);
    }

    /** The workers that it serves. Before any thread runs. */
    void servedBy(WorkerState[] all, Sleepers hosts) {
        workers = all;
        sleepers = hosts;
        orders.servedBy(all);
    }

    /** Returns true if a node that the end of another makes ready may run next on the same worker. */
    boolean inlines() {
        return inlines;
    }

    /**
     * Returns the monitor that is held while a body runs, where the policy wants one at a time; else null. A body may
     * run others in between.
     */
    @Nullable
    Object turn() {
        return turn;
    }

    /** Returns where measured times go; null when the policy needs none. */
    @Nullable
    TimeModel times() {
        return times;
    }

    // ---- in

    /** A host node is ready. Any thread. */
    void push(Node node) {
        if (ending.isBroken()) {
            return;
        }
        if (times != null) {
            long own = node.ownNanos();
            node.expect(own > 0 ? own : (long) Math.max(0, times.nanos(node.name(), Place.HOST, 0)));
        }
        PolicyQueue backlog = backlogs[0];
        try {
            if (places) {
                backlog = backlogs[guard.place(node, orders).number()];
                backlog.expects(cost(node));
            }
            backlog.order.push(node);
        } catch (PolicyException e) {
            ending.fail(e);
            return;
        }
        wakeFor(backlog);
    }

    private void wakeFor(PolicyQueue backlog) {
        if (!places) {
            sleepers.wakeOne();
        } else {
            WorkerState worker = workers[backlog.order.number()];
            if (!worker.wake() && !fixed && worker.isAway()) {
                sleepers.wakeOne();
            }
        }
    }

    /** Returns the weight of a node in its worker's backlog. */
    static long cost(Node node) {
        return Math.max(1, node.expectedNanos());
    }

    // ---- out

    /** The node that {@code worker} is to run next; null when there is none for it. Called by that worker. */
    @Nullable
    Node pop(WorkerState worker) {
        if (ending.isBroken()) {
            return null;
        }
        PolicyQueue own = backlogOf(worker);
        worker.shift().triesAt(own.order.version()); // before the pop: a push in between is tried again
        Node node = take(own, worker);
        if (node == null && mayHelp()) {
            for (PolicyQueue other : backlogs) {
                if (node == null && other != own && isAway(other)) {
                    node = take(other, worker);
                }
            }
        }
        return node;
    }

    private @Nullable Node take(PolicyQueue backlog, WorkerState worker) {
        Node node;
        try {
            node = backlog.order.pop(worker.index());
        } catch (PolicyException e) {
            ending.fail(e);
            return null;
        }
        if (node == null) {
            return null;
        }
        if (backlog.order.waiting() > 0 && (!places || isAway(backlog))) {
            sleepers.wakeOne(); // this one is busy from now on
        }
        if (places) {
            worker.shift().took(backlog, cost(node));
        }
        return node;
    }

    private PolicyQueue backlogOf(WorkerState worker) {
        return backlogs[places ? worker.index() : 0];
    }

    /** Returns true if the thread of the worker of that backlog is away. */
    private boolean isAway(PolicyQueue backlog) {
        return orders.isAway(backlog.order.number());
    }

    /** Returns true if workers take from the backlogs of workers with threads that are away. */
    private boolean mayHelp() {
        return places && !fixed;
    }

    // ---- sleep

    /** Returns true if {@code worker}, which has announced that it sleeps, should ask again. */
    boolean hasNewsFor(WorkerState worker) {
        if (ending.isBroken()) {
            return false;
        }
        PolicyQueue own = backlogOf(worker);
        if (own.order.waiting() > 0 && own.order.version() != worker.shift().triedAt()) {
            return true;
        }
        return mayHelp() && hasAbandoned();
    }

    /** Returns true if a task waits for a worker with a thread that is away. */
    boolean hasAbandoned() {
        for (PolicyQueue backlog : backlogs) {
            if (backlog.order.waiting() > 0 && isAway(backlog)) {
                return true;
            }
        }
        return false;
    }

    /** The thread of {@code worker} went away: others may take its tasks. */
    void leftBehindBy(WorkerState worker) {
        if (mayHelp() && backlogOf(worker).order.waiting() > 0) {
            sleepers.wakeOne();
        }
    }

    /**
     * A worker is about to sleep: when all do, and were refused the remaining tasks, the policy keeps these for ever.
     */
    void requireProgress() {
        long version = orders.version();
        long waiting = orders.queued();
        if (waiting == 0 || ending.isBroken() || ending.isClosed()) {
            return;
        }
        if (!isIdle()) {
            // A worker that was refused before the last pop might be answered otherwise now, and would else sleep on:
            // one after the other asks again, once per version.
            wakeWhoMayAskAgain();
            return;
        }
        if (version == orders.version()) {
            ending.fail(guard.keepsBack(waiting));
        }
    }

    /** Returns true if nothing runs, and every host worker sleeps and was refused. */
    private boolean isIdle() {
        for (WorkerState worker : workers) {
            boolean idle = switch (worker.role()) {
                case HOST -> wasRefused(worker);
                case TARGET -> worker.isSleeping();
                case MAIN -> worker.isSleeping() || worker.isAway();
            };
            if (!idle) {
                return false;
            }
        }
        return true;
    }

    /** Wakes one of the host's workers that sleeps, and was not refused at the present version of its backlog. */
    private void wakeWhoMayAskAgain() {
        for (WorkerState worker : workers) {
            if (worker.role() == WorkerState.Role.HOST && worker.isSleeping() && !wasRefused(worker) && worker.wake()) {
                return;
            }
        }
    }

    /** Returns true if {@code worker} sleeps and was refused at the present version of its backlog. */
    private boolean wasRefused(WorkerState worker) {
        return worker.isSleeping()
                && worker.shift().triedAt() == backlogOf(worker).order.version();
    }

    /** Shows the number of tasks in each order: a policy does not show the tasks. */
    void visit(NodeVisitor visitor) {
        for (PolicyQueue backlog : backlogs) {
            long nodes = backlog.order.waiting();
            if (nodes > 0) {
                visitor.hidden(
                        nodes,
                        "with policy \"" + guard.name() + '"'
                                + (places ? ", for worker " + backlog.order.number() : ""));
            }
        }
    }
}
