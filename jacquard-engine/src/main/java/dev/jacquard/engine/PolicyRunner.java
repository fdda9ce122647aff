package dev.jacquard.engine;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import dev.jacquard.engine.work.ReadyTask;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A policy at work: holds the host's ready nodes in its orders instead of the workers' deques, and watches that it
 * keeps its contract. A breach of the contract ends the engine with a {@link PolicyException}; from then on no node
 * goes in or comes out.
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
    private final String name;
    /** Null when one order serves all workers. */
    private final @Nullable Placer placer;

    final PolicyQueues orders;
    /** The backlogs of {@link #orders}. */
    private final PolicyQueue[] backlogs;
    /** Null when the policy needs no times. */
    private final @Nullable TimeModel times;

    private final boolean exclusive;
    private final boolean inlines;
    private final boolean fixed;
    private final @Nullable Object turn;

    /** All workers, the host's first. Set once, before any thread runs. */
    private WorkerState[] workers = {};
    /** The host's workers that sleep. Set once, too. */
    private Sleepers sleepers = new Sleepers(workers);

    private PolicyRunner(EngineOptions options, Ending ending, ReadyOrder first, Placer placer, TimeModel times) {
        Policy policy = options.policy();
        Set<Need> needs = EnumSet.noneOf(Need.class);
        needs.addAll(policy.needs());
        this.ending = ending;
        this.name = policy.name();
        this.placer = placer.placesWorkers() ? placer : null;
        this.exclusive = needs.contains(Need.EXCLUSIVE_CALLS);
        this.inlines = !needs.contains(Need.NO_INLINE_SUCCESSORS);
        this.fixed = needs.contains(Need.FIXED_WORKERS);
        this.turn = needs.contains(Need.ONE_AT_A_TIME) ? new Object() : null;
        this.times = needs.contains(Need.TIMES) ? times : null;
        this.orders = new PolicyQueues(policy, first, options.workers(), placer.placesWorkers(), this.times);
        this.backlogs = orders.all;
    }

    /** Null for a policy without orders: the workers' deques serve. */
    static @Nullable PolicyRunner of(EngineOptions options, Ending ending, Placer placer, TimeModel times) {
        Policy policy = options.policy();
        ReadyOrder first = policy.order();
        if (first != null) {
            return new PolicyRunner(options, ending, first, placer, times);
        }
        if (placer.placesWorkers()) {
            throw new IllegalArgumentException("policy \"" + policy.name()
                    + "\" has a placement but no order: the workers' deques take no placement");
        }
        return null;
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
        Place place = placer == null ? Place.HOST : placer.place(node, orders);
        if (place == null) {
            return;
        }
        PolicyQueue backlog = backlogs[place.number()]; // the host has number 0, like the backlog of all workers
        if (placer != null) {
            backlog.expects(cost(node));
        }
        node.enter(backlog.mark);
        try {
            if (exclusive) {
                synchronized (backlog.lock) {
                    backlog.order.push(node);
                }
            } else {
                backlog.order.push(node);
            }
        } catch (Throwable e) {
            fail(node.name(), "threw from push of task \"" + node.name() + '"', e);
            return;
        }
        backlog.pushed();
        wakeFor(backlog);
    }

    private void wakeFor(PolicyQueue backlog) {
        if (placer == null) {
            sleepers.wakeOne();
        } else {
            WorkerState worker = workers[backlog.number];
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
        worker.shift().triesAt(own.version()); // before the pop: a push in between is tried again
        Node node = take(own, worker);
        if (node == null && mayHelp()) {
            for (PolicyQueue other : backlogs) {
                if (node == null && other != own && orders.isAway(other.number)) {
                    node = take(other, worker);
                }
            }
        }
        return node;
    }

    private @Nullable Node take(PolicyQueue backlog, WorkerState worker) {
        if (backlog.queued() <= 0) {
            return null;
        }
        ReadyTask task;
        try {
            if (exclusive) {
                synchronized (backlog.lock) {
                    task = backlog.order.pop(worker.index());
                }
            } else {
                task = backlog.order.pop(worker.index());
            }
        } catch (Throwable e) {
            fail(null, "threw from pop", e);
            return null;
        }
        if (task == null) {
            return null;
        }
        if (!(task instanceof Node node) || !node.leave(backlog.mark)) {
            refuse(task);
            return null;
        }
        backlog.popped();
        if (backlog.queued() > 0 && (placer == null || orders.isAway(backlog.number))) {
            sleepers.wakeOne(); // this one is busy from now on
        }
        if (placer != null) {
            worker.shift().took(backlog, cost(node));
        }
        return node;
    }

    private void refuse(ReadyTask task) {
        String its;
        try {
            its = task.name();
        } catch (Throwable e) { // a task that the policy made up is users' code too
            fail(null, "returned a task whose name() throws", e);
            return;
        }
        String where = task instanceof Node node ? whereabouts(node) : "is no task of the engine's";
        fail(its, "returned task \"" + its + "\", which " + where, null);
    }

    private String whereabouts(Node node) {
        for (PolicyQueue backlog : backlogs) {
            if (node.isIn(backlog.mark)) {
                return "is in order " + backlog.number;
            }
        }
        return node.whereabouts();
    }

    private PolicyQueue backlogOf(WorkerState worker) {
        return backlogs[placer == null ? 0 : worker.index()];
    }

    /** Returns true if workers take from the backlogs of workers with threads that are away. */
    private boolean mayHelp() {
        return placer != null && !fixed;
    }

    // ---- sleep

    /** Returns true if {@code worker}, which has announced that it sleeps, should ask again. */
    boolean hasNewsFor(WorkerState worker) {
        if (ending.isBroken()) {
            return false;
        }
        PolicyQueue own = backlogOf(worker);
        if (own.queued() > 0 && own.version() != worker.shift().triedAt()) {
            return true;
        }
        return mayHelp() && hasAbandoned();
    }

    /** Returns true if a task waits for a worker with a thread that is away. */
    boolean hasAbandoned() {
        for (PolicyQueue backlog : backlogs) {
            if (backlog.queued() > 0 && orders.isAway(backlog.number)) {
                return true;
            }
        }
        return false;
    }

    /** The thread of {@code worker} went away: others may take its tasks. */
    void leftBehindBy(WorkerState worker) {
        if (mayHelp() && backlogOf(worker).queued() > 0) {
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
            fail(
                    null,
                    "keeps " + waiting + " ready task" + (waiting == 1 ? "" : "s")
                            + " back: all workers are idle, and pop answers null to each of them",
                    null);
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
                && worker.shift().triedAt() == backlogOf(worker).version();
    }

    /** Shows the number of tasks in each order: a policy does not show the tasks. */
    void visit(NodeVisitor visitor) {
        for (PolicyQueue backlog : backlogs) {
            long nodes = backlog.queued();
            if (nodes > 0) {
                visitor.hidden(
                        nodes,
                        "with policy \"" + name + '"' + (placer == null ? "" : ", for worker " + backlog.number));
            }
        }
    }

    // ---- failures

    private void fail(@Nullable String task, String what, @Nullable Throwable cause) {
        ending.fail(new PolicyException(name, task, what, cause));
    }
}
